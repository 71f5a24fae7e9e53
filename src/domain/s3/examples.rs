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

/// File name and text of all, in the order of the folders and names.
pub fn all() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    PAPER.iter().chain(MANAGE)
}

/// Dialogues with the operations of the paper.
const PAPER: &[(&str, &str)] = dialogues!["datasets/s3/train":
    "album-bucket-1.xml",
    "album-bucket-2.xml",
    "archive-logs-1.xml",
    "archive-logs-2.xml",
    "buckets-in-region-1.xml",
    "buckets-in-region-2.xml",
    "buckets-overview-1.xml",
    "buckets-overview-2.xml",
    "change-extension-1.xml",
    "change-extension-2.xml",
    "count-log-errors-1.xml",
    "count-log-errors-2.xml",
    "count-partition-1.xml",
    "count-partition-2.xml",
    "delete-old-logs-1.xml",
    "delete-old-logs-2.xml",
    "delete-temporary-1.xml",
    "delete-temporary-2.xml",
    "drop-partition-1.xml",
    "drop-partition-2.xml",
    "find-by-name-1.xml",
    "find-by-name-2.xml",
    "first-bucket-1.xml",
    "first-bucket-2.xml",
    "largest-objects-1.xml",
    "largest-objects-2.xml",
    "latest-backup-1.xml",
    "latest-backup-2.xml",
    "list-month-1.xml",
    "list-month-2.xml",
    "logs-of-a-day-1.xml",
    "logs-of-a-day-2.xml",
    "missing-partitions-1.xml",
    "missing-partitions-2.xml",
    "prune-backups-1.xml",
    "prune-backups-2.xml",
    "publish-page-1.xml",
    "publish-page-2.xml",
    "read-csv-column-1.xml",
    "read-csv-column-2.xml",
    "rename-page-1.xml",
    "rename-page-2.xml",
    "restore-file-1.xml",
    "restore-file-2.xml",
    "write-marker-1.xml",
    "write-marker-2.xml",
];

/// Dialogues about versions, tags, configurations and access.
const MANAGE: &[(&str, &str)] = dialogues!["datasets/s3-manage/train":
    "access-logging-1.xml",
    "access-logging-2.xml",
    "allow-web-page-1.xml",
    "allow-web-page-2.xml",
    "block-public-1.xml",
    "block-public-2.xml",
    "bucket-tags-1.xml",
    "bucket-tags-2.xml",
    "clean-uploads-1.xml",
    "clean-uploads-2.xml",
    "expire-logs-1.xml",
    "expire-logs-2.xml",
    "find-by-tag-1.xml",
    "find-by-tag-2.xml",
    "lock-refuses-1.xml",
    "lock-refuses-2.xml",
    "read-policy-1.xml",
    "read-policy-2.xml",
    "replication-status-1.xml",
    "replication-status-2.xml",
    "restore-archived-1.xml",
    "restore-archived-2.xml",
    "set-encryption-1.xml",
    "set-encryption-2.xml",
    "storage-classes-1.xml",
    "storage-classes-2.xml",
    "tag-objects-1.xml",
    "tag-objects-2.xml",
    "turn-on-versioning-1.xml",
    "turn-on-versioning-2.xml",
    "undelete-object-1.xml",
    "undelete-object-2.xml",
    "undo-overwrite-1.xml",
    "undo-overwrite-2.xml",
    "version-sizes-1.xml",
    "version-sizes-2.xml",
    "website-settings-1.xml",
    "website-settings-2.xml",
    "why-public-1.xml",
    "why-public-2.xml",
];
