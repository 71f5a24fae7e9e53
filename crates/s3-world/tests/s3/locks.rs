//! Locked versions.

use crate::support::check;
use expect_test::expect;

#[test]
fn only_a_bypass_changes_the_mode_of_a_lock() {
    let retain = |key: &str, mode: &str, year: u16, more: &str| {
        format!(
            "put_object_retention {{\"Bucket\":\"alpha\",\"Key\":\"{key}\",\"Retention\":\
             {{\"Mode\":\"{mode}\",\"RetainUntilDate\":{{\"@time\":\"{year}-01-01T00:00:00Z\"}}}}\
             {more}}}\n"
        )
    };
    let bypass = ",\"BypassGovernanceRetention\":true";
    let calls = [
        retain("k", "GOVERNANCE", 2030, ""),
        retain("k", "GOVERNANCE", 2031, ""),
        retain("k", "GOVERNANCE", 2030, ""),
        retain("k", "COMPLIANCE", 2032, ""),
        retain("k", "COMPLIANCE", 2030, bypass),
        retain("k", "GOVERNANCE", 2033, bypass),
        retain("k", "COMPLIANCE", 2029, bypass),
        retain("k", "COMPLIANCE", 2031, ""),
    ];
    check(
        r#"
        create_bucket {"Bucket":"alpha","ObjectLockEnabledForBucket":true}
        put_object {"Bucket":"alpha","Key":"k","Body":"x"}
        "#,
        &(calls.concat() + r#"get_object_retention {"Bucket":"alpha","Key":"k"}"#),
        expect![[r#"
            {}
            {}
            ! 403 AccessDenied: Access Denied because object protected by object lock.
            ! 403 AccessDenied: Access Denied because object protected by object lock.
            {}
            ! 403 AccessDenied: Access Denied because object protected by object lock.
            ! 403 AccessDenied: Access Denied because object protected by object lock.
            {}
            {Retention: {Mode: "COMPLIANCE", RetainUntilDate: 2031-01-01T00:00:00Z}}
        "#]],
    );
}
