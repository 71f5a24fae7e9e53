//! `--files`: programs and conversations about files of the user.

use super::support::{Home, goal, model};
use expect_test::{Expect, expect};

/// A home with the folder `photos`.
fn home() -> Home {
    let home = Home::new();
    std::fs::create_dir_all(home.path("photos/2024")).expect("a folder");
    home.write("photos/a.txt", "one\ntwo\n");
    home.write("photos/2024/b.txt", "second\n");
    home
}

fn check(words: &str, program: &str, expected: Expect) {
    let home = home();
    home.check(home.ready(&format!("run - {words}")), program, expected);
}

#[test]
fn programs_look_around_as_in_python() {
    check(
        "--files photos",
        "import glob, os\n\
         print(os.listdir('photos'), os.listdir())\n\
         print(list(os.walk('photos')))\n\
         print(list(os.walk('photos', topdown=False)))\n\
         print(glob.glob('photos/**/*.txt', recursive=True), glob.glob('photos/*'))\n\
         print([os.path.exists(n) for n in ('photos', 'photos/a.txt', 'photos/c', '/etc/passwd')])\n\
         print(os.path.isdir('photos/2024'), os.path.isfile('photos/2024'), os.path.getsize('photos/a.txt'))\n\
         with open('photos/a.txt') as file:\n    print(file.readlines(), open('photos/a.txt', 'rb').read(3))\n\
         for name in ('photos/none', 'photos', '/etc/passwd'):\n\
         \x20   try:\n        open(name)\n\
         \x20   except OSError as error:\n        print(repr(error))\n\
         try:\n    open('photos/new', 'w').write('x')\nexcept OSError as error:\n    print(repr(error))",
        expect![[r#"
            output     ['2024', 'a.txt'] ['photos']
                       [('photos', ['2024'], ['a.txt']), ('photos/2024', [], ['b.txt'])]
                       [('photos/2024', [], ['b.txt']), ('photos', ['2024'], ['a.txt'])]
                       ['photos/2024/b.txt', 'photos/a.txt'] ['photos/2024', 'photos/a.txt']
                       [True, True, False, False]
                       True False 8
                       ['one\n', 'two\n'] b'one'
                       FileNotFoundError(2, "No such file or directory: 'photos/none'")
                       IsADirectoryError(21, "Is a directory: 'photos'")
                       PermissionError(13, '"/etc/passwd" is in none of the granted folders: photos')
                       UnsupportedOperation("a program writes 'photos/new' with s3.download_file or s3.download_fileobj alone")
            result     null
            calls      list_files × 7, list_files → NotADirectoryError, list_files, list_files → FileNotFoundError, list_files → PermissionError, list_files × 2, list_files → NotADirectoryError, list_files, read_file × 5, read_file → FileNotFoundError, read_file → IsADirectoryError, read_file → PermissionError
            signature  b83e881f
            elapsed    TIME
            -- exit 0 --
        "#]],
    );
}

#[test]
fn file_objects_and_paths_are_sent_by_the_host() {
    check(
        "--files photos:rw --world empty",
        "import os\n\
         s3.create_bucket(Bucket='album')\n\
         for folder, _, files in os.walk('photos'):\n\
         \x20   for name in files:\n\
         \x20       path = os.path.join(folder, name)\n\
         \x20       s3.upload_file(path, 'album', path, ExtraArgs={'ContentType': 'text/plain'})\n\
         with open('photos/a.txt', 'rb') as file:\n    s3.upload_fileobj(file, 'album', 'again')\n\
         with open('photos/copy.txt', 'wb') as file:\n    s3.download_fileobj('album', 'again', file)\n\
         try:\n    s3.upload_file('photos/a.txt', 'nowhere', 'k')\n\
         except Exception as error:\n    print(error)\n\
         try:\n    s3.download_file('album', 'nothing', 'photos/nothing')\n\
         except Exception as error:\n    print(error)\n\
         print(s3.head_object(Bucket='album', Key='photos/a.txt')['ContentType'], open('photos/copy.txt').read().split())\n\
         return [o['Key'] for o in s3.list_objects_v2(Bucket='album')['Contents']]",
        expect![[r#"
            output     Failed to upload photos/a.txt to nowhere/k: An error occurred (NoSuchBucket) when calling the PutObject operation: The specified bucket does not exist
                       An error occurred (404) when calling the HeadObject operation: Not Found
                       text/plain ['one', 'two']
            result     ["again", "photos/2024/b.txt", "photos/a.txt"]
            calls      create_bucket, list_files, upload_file × 2, read_file, upload_file, head_object, download_file, upload_file → NoSuchBucket, head_object → 404, head_object, read_file × 3, list_objects_v2
            signature  34a679a3
            elapsed    TIME
            -- exit 0 --
        "#]],
    );
}

#[test]
fn paths_of_pathlib_are_paths() {
    let home = home();
    let program = "from pathlib import Path, PurePosixPath\n\
                   s3.create_bucket(Bucket='album')\n\
                   s3.upload_file(Path('photos') / 'a.txt', 'album', str(PurePosixPath('2024') / 'a.txt'))\n\
                   return s3.list_objects_v2(Bucket='album')['Contents'][0]['Key'], PurePosixPath('photos/2024/b.txt').stem";
    home.write("paths.py", program);
    for words in ["--files photos", ""] {
        let mut run = home.ready(&format!("run paths.py --world empty {words}"));
        let seen = home.seen(&run.output().expect("it starts"));
        // Without a folder there is no file to upload, and pathlib all the same.
        let said = match words {
            "" => "programs see no files until a folder is granted with --files DIR",
            _ => r#"["2024/a.txt", "b"]"#,
        };
        assert!(seen.contains(said), "{seen}");
    }
}

#[test]
fn a_grant_that_is_no_folder_is_told() {
    check(
        "--files nowhere",
        "return 1",
        expect![[r#"
        -- stderr --
        error: --files nowhere: No such file or directory (os error 2)
        -- exit 2 --
    "#]],
    );
    check(
        "--files photos --files photos/2024/../../photos",
        "return 1",
        expect![[r#"
            -- stderr --
            error: --files photos/2024/../../photos: HOME/photos has the same name; grant the folder that holds both
            -- exit 2 --
        "#]],
    );
    check(
        "",
        "return open('photos/a.txt').read()",
        expect![[r#"
            error      FileNotFoundError (line 1): [Errno 2] No such file or directory (programs see no files of the machine, only those that they make): 'photos/a.txt'
            traceback  File "program.py", line 1, in program
                         return open('photos/a.txt').read()
            signature  091e0a35
            elapsed    TIME
            -- exit 3 --
        "#]],
    );
    check(
        "",
        "s3.upload_file('photos/a.txt', 'zoology-bucket', 'a.txt')",
        expect![[r#"
            error      FileNotFoundError (line 1): [Errno 2] No such file or directory; programs see no files until a folder is granted with --files DIR, except their own below /tmp: 'photos/a.txt'
            traceback  File "program.py", line 1, in program
                         s3.upload_file('photos/a.txt', 'zoology-bucket', 'a.txt')
            signature  091e0a35
            elapsed    TIME
            -- exit 3 --
        "#]],
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn transfers_are_lines_of_a_plan() {
    let home = home();
    std::fs::create_dir_all(home.path("world/album")).expect("a folder");
    home.write("world/album/old.txt", "from the bucket");
    let program = "s3.upload_file(Filename='photos/2024/b.txt', Bucket='album', Key='b.txt')\n\
                   s3.download_file(Bucket='album', Key='old.txt', Filename='photos/a.txt')";
    let server = model(&[&goal(1, "final", program), "Both are there now."]).await;
    home.write("script.txt", "put photos/2024/b.txt into album as b.txt, and old.txt from there over photos/a.txt\nyes\n/undo\nyes\n/quit\n");
    let mut command =
        home.ready("chat --model openai:fake --script script.txt --world world --files photos:rw");
    command.args(["--base-url", &server.base_url()]);
    home.check(
        command,
        "",
        expect![[r#"
            Agent: How can I help you?

            You: put photos/2024/b.txt into album as b.txt, and old.txt from there over photos/a.txt

            The program of goal 1 would change this:
              ~ file:photos/a.txt  8 B → 15 B  copied from album/old.txt  comes back by our journal
                  what it holds now is nowhere afterwards
              + album/b.txt        7 B  copied from file:photos/2024/b.txt
              1 created, 1 overwritten (2 copied); 22 B written; 8 B destroyed
              calls upload_file, head_object, download_file
              An undo can take all of it back, as long as nobody changes it meanwhile; 1 comes back by our journal.
            The program:
                s3.upload_file(Filename='photos/2024/b.txt', Bucket='album', Key='b.txt')
                s3.download_file(Bucket='album', Key='old.txt', Filename='photos/a.txt')
            Do it? [y/N] yes

              goal 1  final · TIME
              │ s3.upload_file(Filename='photos/2024/b.txt', Bucket='album', Key='b.txt')
              │ s3.download_file(Bucket='album', Key='old.txt', Filename='photos/a.txt')
              result   null

              world    + album/b.txt (7 bytes)

            Agent: Both are there now.

            You: /undo

            Undoing the program of goal 1 (turn 1) would change this:
              - album/b.txt        7 B  comes back by our journal
              ~ file:photos/a.txt  15 B → 8 B  comes back by our journal
              1 overwritten, 1 deleted; 8 B written; 22 B destroyed
              An undo can take all of it back, as long as nobody changes it meanwhile; 2 come back by our journal.
            Do it? [y/N] yes
              world    - album/b.txt (7 bytes)
            Undone.

            You: /quit
            -- exit 0 --
        "#]],
    );
    assert_eq!(home.read("photos/a.txt"), "one\ntwo\n");
    assert!(!home.path("world/album/b.txt").exists());
}
