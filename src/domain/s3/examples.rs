//! The training dialogues that come with the program.

/// Names the files of one folder of training dialogues.
macro_rules! dialogues {
    ($folder:literal: $($name:literal),+ $(,)?) => {
        &[$((
            concat!($folder, "/", $name),
            include_str!(concat!("../../../", $folder, "/", $name)),
        )),+]
    };
}

/// File name and text, in the order of the names.
pub const EXAMPLES: &[(&str, &str)] = dialogues!["datasets/s3/train":
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
