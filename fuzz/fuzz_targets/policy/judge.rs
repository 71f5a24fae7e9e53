//! The judge, written a second time: step by step, and with the slow reference for globs.

use crate::reference;
use dialog2api::domain::s3::S3;
use dialog2api::domain::{Access, Beside, Counts, Place, Touch, Value};
use dialog2api::policy::{Ceiling, Count, Glob, Mode, Policy, Rule, RuleEffect, Several, Spelling};

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
    if is_void(operation, params) {
        return Ok(count);
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
        one(policy, operation, &as_file(touch))?;
    }
    if let Some(grant) = S3.grant(operation, params) {
        if grant.lasts > policy.longest_link.unsigned_abs() {
            return Err("longest_link".to_owned());
        }
        judge(policy, grant.operation, grant.params, count)?;
    }
    let more = Count::of(&touches);
    for ceiling in Ceiling::ALL {
        let added: u64 = touches.iter().map(|touch| added(touch, ceiling)).sum();
        assert_eq!(more.get(ceiling), added, "{ceiling:?} of {touches:?}");
    }
    let then = count.plus(more);
    for ceiling in Ceiling::ALL {
        let most = policy.ceilings.get(ceiling).unwrap_or(u64::MAX);
        if then.get(ceiling) > most && then.get(ceiling) != count.get(ceiling) {
            let name = Spelling::of(&S3.words).name(ceiling.name());
            return Err(format!("the ceiling is {name} = "));
        }
    }
    Ok(then)
}

/// Whether it deletes the objects of a list that has none.
fn is_void(operation: &str, params: &Value) -> bool {
    let list = params.get("Delete").and_then(|it| it.get("Objects"));
    operation == "delete_objects" && list.and_then(Value::as_list).map(<[_]>::len) == Some(0)
}

/// What a touch adds to a ceiling.
fn added(touch: &Touch, ceiling: Ceiling) -> u64 {
    let is_bucket = touch.place.segments().len() == 1;
    let writes = matches!(touch.access, Access::Write | Access::Share);
    let deletes = touch.access == Access::Delete;
    // What is done later has no number, and a deletion is one at least.
    let is_record = !touch.prefix && !is_bucket;
    let is_known = touch.counts != Counts::Bytes;
    let is_made = !touch.prefix && is_bucket && touch.place.setting().is_none();
    // Other domains have them.
    assert_ne!(touch.counts, Counts::RecordIfWritten);
    match ceiling {
        Ceiling::BytesWritten if touch.access != Access::Read => touch.bytes,
        Ceiling::BytesWritten => 0,
        Ceiling::RecordsWritten => u64::from(is_known && writes && is_record),
        Ceiling::RecordsDeleted => u64::from(is_known && deletes && (is_record || touch.prefix)),
        Ceiling::ContainersCreated => u64::from(is_known && writes && is_made),
        Ceiling::ContainersDeleted => u64::from(is_known && deletes && is_made),
    }
}

fn one(policy: &Policy, operation: &str, touch: &Touch) -> Result<(), String> {
    let container = touch.place.root();
    if touch.access != Access::Read {
        if policy.mode == Mode::ReadOnly {
            return Err("the mode is read-only".to_owned());
        }
        let mut protected = policy.protected.iter();
        if protected.any(|glob| means(glob, container) || is_bucket_beside(touch, glob)) {
            return Err("protected_buckets has ".to_owned());
        }
        // The path, and what is before each of its `/`.
        let path = touch.place.path();
        let mut whole = vec![path.as_str()];
        while let Some((before, _)) = whole.last().and_then(|path| path.rsplit_once('/')) {
            whole.push(before);
        }
        let start = start(touch);
        let mut protected = policy.protected_paths.iter();
        if protected.any(|glob| {
            whole.iter().any(|path| means(glob, path))
                || touch.prefix && glob.may_begin(&start)
                || is_path_beside(touch, glob)
        }) {
            return Err("protected_paths has ".to_owned());
        }
    }
    let (mut must, mut may) = (false, false);
    for rule in &policy.rules {
        let about = about(rule, operation, touch);
        match rule.effect {
            RuleEffect::Deny if about => return Err(format!("rule {:?} denies", rule.name)),
            RuleEffect::Deny => {}
            RuleEffect::Allow => {
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
    let path = start(touch);
    let access = match rule.effect {
        RuleEffect::Deny => limits(rule, touch.access),
        // What is allowed to write may not share for that.
        RuleEffect::Allow => {
            let list = rule.access.as_ref();
            list.is_none_or(|list| list.list().contains(&touch.access))
        }
    };
    if !access || !any(&rule.operations, &|glob| means(glob, operation)) {
        return false;
    }
    if rule.effect == RuleEffect::Deny && touch.access != Access::Read && is_beside(rule, touch) {
        return true;
    }
    any(&rule.containers, &|glob| {
        !container.is_empty() && means(glob, container)
    }) && any(&rule.names, &|glob| match (touch.prefix, rule.effect) {
        (false, _) => name.as_ref().is_some_and(|name| means(glob, name)),
        (true, RuleEffect::Deny) => glob.may_begin(prefix),
        (true, RuleEffect::Allow) => glob.covers(prefix),
    }) && any(&rule.paths, &|glob| match (touch.prefix, rule.effect) {
        _ if path.is_empty() => false,
        (false, _) => means(glob, &path),
        (true, RuleEffect::Deny) => glob.may_begin(&path),
        (true, RuleEffect::Allow) => glob.covers(&path),
    })
}

/// The path; for all in a bucket, what the paths of all that begin with.
fn start(touch: &Touch) -> String {
    match touch.place.is_container() && touch.prefix {
        true => format!("{}/", touch.place.root()),
        false => touch.place.path(),
    }
}

/// Whether the place may stand for any bucket, and a rule names another bucket, or names keys.
fn is_beside(rule: &Rule, touch: &Touch) -> bool {
    let any = |list: &Option<Several<Glob>>, is: fn(&Touch, &Glob) -> bool| {
        let mut globs = list.iter().flat_map(Several::list);
        globs.any(|glob| is(touch, glob))
    };
    any(&rule.containers, is_bucket_beside)
        || any(&rule.paths, is_path_beside)
        || touch.beside == Beside::Anything && rule.names.is_some()
}

/// Whether the place may stand for any bucket, and a glob is not the name of it as it is.
fn is_bucket_beside(touch: &Touch, glob: &Glob) -> bool {
    let (head, is_all) = literal(glob);
    is_anything(touch) && !(is_all && head == touch.place.root())
}

/// Whether the place may stand for any bucket, and a glob is not one of what is in it alone.
fn is_path_beside(touch: &Touch, glob: &Glob) -> bool {
    let (head, _) = literal(glob);
    is_anything(touch) && !head.starts_with(&format!("{}/", touch.place.root()))
}

fn is_anything(touch: &Touch) -> bool {
    // Other domains have them.
    assert_ne!(touch.beside, Beside::Strangers);
    touch.beside == Beside::Anything
}

/// What a glob says literally at its beginning, and whether that is all.
fn literal(glob: &Glob) -> (String, bool) {
    let text = glob.to_string();
    let (mut head, mut chars) = (String::new(), text.chars());
    while let Some(c) = chars.next() {
        match c {
            '*' | '?' => return (head, false),
            '\\' => head.extend(chars.next()),
            _ => head.push(c),
        }
    }
    (head, true)
}

fn means(glob: &Glob, name: &str) -> bool {
    reference::matches(&glob.to_string(), name)
}

/// The touch with its bucket and key read as a path.
fn as_file(touch: &Touch) -> Touch {
    if touch.place.segments().is_empty() {
        return touch.clone();
    }
    let name = touch.place.name();
    let at = |place| Touch {
        place,
        ..touch.clone()
    };
    let path = format!("{}/{}", touch.place.root(), name.as_deref().unwrap_or(""));
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
        return match name {
            // Nothing is left of the bucket: it is the world.
            None => at(Place::default()),
            Some(_) => touch.clone(),
        };
    }
    let container = kept.remove(0);
    kept.push(last);
    let file = kept.join("/");
    at(match file.is_empty() && !(touch.prefix && name.is_some()) {
        true => Place::container(container),
        false => Place::thing(container, file),
    })
}
