//! The judge, written a second time: step by step, and with the slow reference for globs.

use crate::reference;
use dialog2api::domain::s3::S3;
use dialog2api::domain::{Access, Place, Touch, Value};
use dialog2api::policy::{Ceiling, Count, Effect, Glob, Mode, Policy, Rule, Several, Spelling};

/// Every glob of a policy.
pub fn globs(policy: &Policy, mut each: impl FnMut(&Glob)) {
    policy.protected.iter().for_each(&mut each);
    policy.protected_paths.iter().for_each(&mut each);
    for rule in &policy.rules {
        for list in [&rule.operations, &rule.containers, &rule.names, &rule.paths] {
            list.iter().flat_map(Several::list).for_each(&mut each);
        }
    }
}

/// The count after a call, or words that the sentence has to have.
pub fn judge(
    policy: &Policy,
    operation: &str,
    params: &Value,
    count: Count,
) -> Result<Count, String> {
    if S3.operation(operation).is_none() {
        return Err("there is no operation".to_owned());
    }
    let mut touches = S3.touches(operation, params);
    if S3.writes(operation) && touches.iter().all(|touch| touch.access == Access::Read) {
        return Err("names no place that it".to_owned());
    }
    if touches.is_empty() {
        touches.push(Touch::new(Access::Read, Place::default()));
    }
    for touch in &touches {
        if touch.place.segments().concat().len() > 4096 {
            return Err("longer than any".to_owned());
        }
        one(policy, operation, touch)?;
        if let Some(name) = touch.place.name() {
            one(policy, operation, &as_file(touch, &name))?;
        }
    }
    if let Some(grant) = S3.grant(operation, params) {
        if grant.lasts > policy.longest_link.unsigned_abs() {
            return Err("longest_link".to_owned());
        }
        judge(policy, grant.operation, grant.params, count)?;
    }
    let then = count.plus(Count::of(&touches));
    for ceiling in Ceiling::ALL {
        let most = policy.ceilings.get(ceiling).unwrap_or(u64::MAX);
        if then.get(ceiling) > most && then.get(ceiling) != count.get(ceiling) {
            let name = Spelling::of(&S3.words).name(ceiling.name());
            return Err(format!("the ceiling is {name} = "));
        }
    }
    Ok(then)
}

fn one(policy: &Policy, operation: &str, touch: &Touch) -> Result<(), String> {
    let container = touch.place.root();
    if touch.access != Access::Read {
        if policy.mode == Mode::ReadOnly {
            return Err("the mode is read-only".to_owned());
        }
        if policy.protected.iter().any(|glob| means(glob, container)) {
            return Err("protected_buckets has ".to_owned());
        }
        let whole = [container.to_owned(), touch.place.path()];
        let mut protected = policy.protected_paths.iter();
        if protected.any(|glob| whole.iter().any(|path| means(glob, path))) {
            return Err("protected_paths has ".to_owned());
        }
    }
    let (mut must, mut may) = (false, false);
    for rule in &policy.rules {
        let about = about(rule, operation, touch);
        match rule.effect {
            Effect::Deny if about => return Err(format!("rule {:?} denies", rule.name)),
            Effect::Deny => {}
            Effect::Allow => {
                must |= limits(rule, touch.access);
                may |= about;
            }
        }
    }
    match must && !may {
        true => Err("no rule allows".to_owned()),
        false => Ok(()),
    }
}

/// Whether a rule is about this kind of access; one about writes is also about sharing.
fn limits(rule: &Rule, access: Access) -> bool {
    let list = rule.access.as_ref().map(Several::list);
    list.is_none_or(|list| {
        list.contains(&access) || access == Access::Share && list.contains(&Access::Write)
    })
}

fn about(rule: &Rule, operation: &str, touch: &Touch) -> bool {
    let any = |list: &Option<Several<Glob>>, is: &dyn Fn(&Glob) -> bool| match list {
        None => true,
        Some(list) => list.list().iter().any(is),
    };
    let (container, name) = (touch.place.root(), touch.place.name());
    let prefix = name.as_deref().unwrap_or_default();
    let path = match touch.place.is_container() && touch.prefix {
        true => format!("{container}/"),
        false => touch.place.path(),
    };
    let access = match rule.effect {
        Effect::Deny => limits(rule, touch.access),
        // What is allowed to write may not share for that.
        Effect::Allow => {
            let list = rule.access.as_ref();
            list.is_none_or(|list| list.list().contains(&touch.access))
        }
    };
    access
        && any(&rule.operations, &|glob| means(glob, operation))
        && any(&rule.containers, &|glob| {
            !container.is_empty() && means(glob, container)
        })
        && any(&rule.names, &|glob| match (touch.prefix, rule.effect) {
            (false, _) => name.as_ref().is_some_and(|name| means(glob, name)),
            (true, Effect::Deny) => glob.may_begin(prefix),
            (true, Effect::Allow) => glob.covers(prefix),
        })
        && any(&rule.paths, &|glob| match (touch.prefix, rule.effect) {
            _ if path.is_empty() => false,
            (false, _) => means(glob, &path),
            (true, Effect::Deny) => glob.may_begin(&path),
            (true, Effect::Allow) => glob.covers(&path),
        })
}

fn means(glob: &Glob, name: &str) -> bool {
    reference::matches(&glob.to_string(), name)
}

/// The touch with its name read as a path.
fn as_file(touch: &Touch, name: &str) -> Touch {
    let path = format!("{}/{name}", touch.place.root());
    let mut folders: Vec<&str> = path.split('/').collect();
    let mut last = folders.pop().unwrap_or_default();
    if !touch.prefix && (last == "." || last == "..") {
        folders.push(last);
        last = "";
    }
    let mut kept: Vec<&str> = Vec::new();
    for folder in folders {
        match folder {
            "" | "." => {}
            ".." => drop(kept.pop()),
            _ => kept.push(folder),
        }
    }
    if kept.is_empty() {
        return touch.clone();
    }
    let container = kept.remove(0);
    kept.push(last);
    let name = kept.join("/");
    let place = match name.is_empty() && !touch.prefix {
        true => Place::container(container),
        false => Place::thing(container, name),
    };
    Touch {
        place,
        ..touch.clone()
    }
}
