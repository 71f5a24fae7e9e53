//! The training dialogues that come with the program.

/// The dialogues of a domain: file name and text, in the order of the names.
/// Empty for a domain that brings none.
pub fn built_in(domain: &str) -> &'static [(&'static str, &'static str)] {
    match domain {
        "s3" => S3,
        _ => &[],
    }
}

/// Names the files of one folder of training dialogues.
macro_rules! dialogues {
    ($folder:literal: $($name:literal),+ $(,)?) => {
        &[$((
            concat!($folder, "/", $name),
            include_str!(concat!("../../", $folder, "/", $name)),
        )),+]
    };
}

const S3: &[(&str, &str)] = dialogues!["datasets/s3/train":
    "bucket-life.xml",
    "change-extension.xml",
    "copy-backup.xml",
    "copy-object.xml",
    "count-and-size.xml",
    "delete-many.xml",
    "delete-one.xml",
    "list-mammals.xml",
    "new-folder.xml",
    "put-note.xml",
    "read-text.xml",
    "rename-deer.xml",
    "small-talk.xml",
    "tidy-up.xml",
];
