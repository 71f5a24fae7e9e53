//! Properties of every policy and every call.

use crate::policy::reference;
use dialog2api::domain::Value;
use dialog2api::domain::s3::{OPERATIONS, S3};
use dialog2api::policy::{
    Ceiling, Ceilings, Count, Glob, Mode, Policy, Raise, Raised, RaisedBy, Rule, RuleEffect, Who,
};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

/// Few letters, so that globs and names often meet.
const GLOB: &str = r"([ab/*?é]|\*\*/|\\\*){1,8}";
const NAME: &str = "[ab/*é.]{0,10}";

fn globs(pattern: &'static str) -> impl Strategy<Value = Option<Vec<Glob>>> {
    let glob = pattern.prop_map(|text| Glob::new(text).expect("a glob"));
    prop::option::of(prop::collection::vec(glob, 1..3))
}

fn operation_names() -> Vec<&'static str> {
    OPERATIONS.clone()
}

fn rule() -> impl Strategy<Value = Rule> {
    use dialog2api::domain::Access::{Delete, Read, Share, Write};
    let operations = prop::option::of(subsequence(operation_names(), 1..operation_names().len()));
    let access = prop::option::of(subsequence(vec![Read, Write, Delete, Share], 1..=4));
    let effect = select(vec![RuleEffect::Allow, RuleEffect::Deny]);
    let parts = (
        "[a-z]{8}",
        effect,
        operations,
        access,
        globs("[ab*]{1,3}"),
        globs(GLOB),
        globs(GLOB),
    );
    parts.prop_map(
        |(name, effect, operations, access, containers, names, paths)| {
            let operations: Option<Vec<Glob>> = operations.map(|names| {
                let globs = names.into_iter().map(Glob::new);
                globs.collect::<Result<_, _>>().expect("globs")
            });
            Rule {
                name,
                effect,
                operations: operations.map(|list| list.try_into().expect("some")),
                access: access.map(|list| list.try_into().expect("some")),
                containers: containers.map(|list| list.try_into().expect("some")),
                names: names.map(|list| list.try_into().expect("some")),
                paths: paths.map(|list| list.try_into().expect("some")),
            }
        },
    )
}

fn amount() -> impl Strategy<Value = Option<u64>> {
    prop::option::of(0..3_u64)
}

fn mode() -> impl Strategy<Value = Mode> {
    select(vec![Mode::ReadOnly, Mode::Confirm, Mode::Auto])
}

prop_compose! {
    fn policy()(
        mode in mode(),
        rules in prop::collection::vec(rule(), 0..5),
        protected in globs("[ab*]{1,3}"),
        protected_paths in globs(GLOB),
        most in [amount(), amount(), amount(), amount(), amount()],
    ) -> Policy {
        let mut ceilings = Ceilings::default();
        for (ceiling, most) in Ceiling::ALL.into_iter().zip(most) {
            *ceilings.get_mut(ceiling) = most;
        }
        let raise = Raise { mode: Who::User, ceilings: Who::User, rules: Who::User };
        let protected = protected.unwrap_or_default();
        let protected_paths = protected_paths.unwrap_or_default();
        Policy { mode, rules, protected, protected_paths, ceilings, raise, ..Policy::default() }
    }
}

/// A call with everything that any operation reads.
fn call() -> impl Strategy<Value = (&'static str, Value)> {
    let names = prop::collection::vec(NAME, 1..4);
    let parts = (select(operation_names()), "[ab]{1,2}", "[ab]{1,2}", names);
    parts.prop_map(|(operation, bucket, other, names)| {
        let entries = names
            .iter()
            .map(|name| map(vec![("Key", name.as_str().into())]));
        let source = map(vec![
            ("Bucket", other.into()),
            ("Key", names[0].as_str().into()),
        ]);
        let params = map(vec![
            ("Bucket", bucket.into()),
            ("Key", names[0].as_str().into()),
            ("Prefix", names[0].as_str().into()),
            ("Body", "ab".into()),
            ("CopySource", source),
            (
                "Delete",
                map(vec![("Objects", Value::List(entries.collect()))]),
            ),
        ]);
        (operation, params)
    })
}

fn map(pairs: Vec<(&'static str, Value)>) -> Value {
    Value::Map(
        pairs
            .into_iter()
            .map(|(name, value)| (name.into(), value))
            .collect(),
    )
}

fn allows(policy: &Policy, (operation, params): &(&str, Value)) -> bool {
    policy
        .judge(&S3, operation, params, &mut Count::default())
        .is_ok()
}

/// How many of the calls of one program are allowed, one after the other.
fn allowed(policy: &Policy, calls: &[(&str, Value)]) -> Vec<bool> {
    let mut count = Count::default();
    let judged = calls
        .iter()
        .map(|(operation, params)| policy.judge(&S3, operation, params, &mut count).is_ok());
    judged.collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn globs_mean_what_the_reference_says(glob in GLOB, name in NAME) {
        let read = Glob::new(glob.clone()).expect("a glob");
        prop_assert_eq!(read.matches(&name), reference::matches(&glob, &name));
    }

    #[test]
    fn prefixes_are_what_the_names_behind_them_say(
        glob in GLOB, prefix in "[ab/é]{0,4}", rest in "[ab/*é]{0,6}",
    ) {
        let glob = Glob::new(glob).expect("a glob");
        let name = format!("{prefix}{rest}");
        if glob.matches(&name) {
            prop_assert!(glob.may_begin(&prefix));
        }
        if glob.covers(&prefix) {
            prop_assert!(glob.matches(&name));
        }
        if !glob.may_begin(&prefix) {
            prop_assert!(!glob.matches(&name));
        }
    }

    #[test]
    fn another_denial_never_allows_more(policy in policy(), rule in rule(), call in call()) {
        let mut more = policy.clone();
        more.rules.insert(0, Rule { effect: RuleEffect::Deny, ..rule });
        prop_assert!(allows(&policy, &call) || !allows(&more, &call));
    }

    #[test]
    fn what_a_rule_denies_no_rule_allows(policy in policy(), call in call()) {
        let mut policy = policy;
        policy.rules.retain(|rule| rule.effect == RuleEffect::Deny);
        let denied = !allows(&policy, &call);
        let all = Rule {
            name: "all".to_owned(),
            effect: RuleEffect::Allow,
            operations: None,
            access: None,
            containers: None,
            names: None,
            paths: None,
        };
        policy.rules.push(all.clone());
        prop_assert_eq!(allows(&policy, &call), !denied);
        policy.rules.insert(0, all);
        prop_assert_eq!(allows(&policy, &call), !denied);
    }

    #[test]
    fn the_order_of_rules_does_not_matter(policy in policy(), call in call()) {
        let mut turned = policy.clone();
        turned.rules.reverse();
        prop_assert_eq!(allows(&policy, &call), allows(&turned, &call));
    }

    #[test]
    fn a_program_lowers_and_never_raises(
        policy in policy(), mode in mode(), most in amount(), which in select(&Ceiling::ALL),
        calls in prop::collection::vec(call(), 1..5),
    ) {
        let before = allowed(&policy, &calls);
        for change in [Raised::Mode(mode), Raised::Ceiling(which, most)] {
            let Ok(lowered) = policy.raised(&change, RaisedBy::Program) else { continue };
            let after = allowed(&lowered, &calls);
            // What is denied counts for nothing, so that later calls may pass that did
            // not before. The first that differs is one that is denied now.
            let differs = before.iter().zip(&after).find(|(before, after)| before != after);
            prop_assert!(differs.is_none_or(|(before, _)| *before));
        }
    }

    #[test]
    fn read_only_lets_no_write_through(policy in policy(), call in call()) {
        let policy = Policy { mode: Mode::ReadOnly, ..policy };
        let touches = S3.touches(call.0, &call.1);
        let writes = touches.iter().any(|touch| touch.access != dialog2api::domain::Access::Read);
        prop_assert!(!(writes && allows(&policy, &call)));
    }

    #[test]
    fn every_policy_reads_back(policy in policy()) {
        let mut policy = policy;
        for (index, rule) in policy.rules.iter_mut().enumerate() {
            rule.name.push_str(&index.to_string());
        }
        prop_assert_eq!(Policy::read(&policy.to_string()), Ok(policy));
    }
}
