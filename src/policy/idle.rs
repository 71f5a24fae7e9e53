//! Parts of a policy that can match nothing in a domain.

use super::{Glob, Policy, Rule, RuleEffect, Several};
use crate::domain::{Access, Domain, Operation, PathForm, Segment, counted};
use std::fmt;

/// A part of a policy that can match nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idle {
    /// The number of the rule from 0; none for a protection.
    pub rule: Option<usize>,
    /// The glob that matches nothing, if it is one of paths.
    pub path: Option<Glob>,
    /// What is wrong, as a sentence without its end.
    pub problem: String,
}

impl fmt::Display for Idle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

/// An operation with a form of the paths of its calls.
type Call<'a> = (&'a Operation, PathForm);

impl Policy {
    /// The parts that can match nothing in a domain, whatever is called: a mistake, because
    /// whoever wrote them thinks that they do. Operations that nobody says the paths of may have
    /// any.
    pub fn idle(&self, domain: &Domain) -> Vec<Idle> {
        let Some(calls) = calls(domain) else {
            return Vec::new();
        };
        let writes: Vec<Call<'_>> = calls
            .iter()
            .filter(|(_, form)| form.accesses != [Access::Read])
            .cloned()
            .collect();
        let mut found: Vec<Idle> = Vec::new();
        for glob in &self.protected {
            let touches = domain.effects.touches.as_ref();
            let no_name = glob.literal().and_then(|name| touches?.no_container(name));
            if let Some(problem) = no_name {
                found.push(Idle::of(None, None, problem));
                continue;
            }
            // A write to the world as a whole reaches all containers.
            if !writes
                .iter()
                .any(|(_, form)| is_root(glob, form) || form.segments.is_empty())
            {
                let problem = format!("no call writes in a container like \"{glob}\"");
                found.push(Idle::of(None, None, problem + &examples(&calls)));
            }
        }
        for glob in &self.protected_paths {
            if !writes.iter().any(|(_, form)| contains(glob, form)) {
                found.push(no_path(None, glob, &calls));
            }
        }
        for (number, rule) in self.rules.iter().enumerate() {
            found.extend(idle(number, rule, &calls));
        }
        found
    }
}

impl Idle {
    fn of(rule: Option<usize>, path: Option<&Glob>, problem: String) -> Idle {
        Idle {
            rule,
            path: path.cloned(),
            problem,
        }
    }
}

/// What of a rule can match nothing.
fn idle(number: usize, rule: &Rule, calls: &[Call<'_>]) -> Vec<Idle> {
    let is_one = |globs: &Option<Several<Glob>>, is: &dyn Fn(&Glob) -> bool| {
        globs
            .as_ref()
            .is_none_or(|globs| globs.list().iter().any(is))
    };
    let paths = rule.paths.iter().flat_map(Several::list);
    let strange = paths.filter(|glob| !calls.iter().any(|(_, form)| meets(glob, form, rule)));
    let strange: Vec<Idle> = strange
        .map(|glob| no_path(Some(number), glob, calls))
        .collect();
    if !strange.is_empty() {
        return strange;
    }
    let is_named =
        |operation: &Operation| is_one(&rule.operations, &|glob| glob.matches(&operation.name));
    let has_access = |form: &PathForm| form.accesses.iter().any(|it| rule.speaks_of(*it));
    let has_path = |form: &PathForm| {
        let rest = form.segments.get(1..).unwrap_or_default();
        is_one(&rule.paths, &|glob| meets(glob, form, rule))
            && is_one(&rule.containers, &|glob| {
                is_root(glob, form) || reaches_all(form, rule)
            })
            && is_one(&rule.names, &|glob| {
                !rest.is_empty() && glob.meets(rest) || reaches_below(form, rule)
            })
    };
    let named: Vec<&PathForm> = (calls.iter().filter(|(operation, _)| is_named(operation)))
        .map(|(_, form)| form)
        .collect();
    let with_access: Vec<&PathForm> = named.iter().copied().filter(|it| has_access(it)).collect();
    let why = match (named.is_empty(), with_access.is_empty()) {
        // That no operation has the name is told by itself.
        (true, _) => return Vec::new(),
        (false, true) => "none of its operations has such an access".to_owned(),
        _ if with_access.into_iter().any(has_path) => return Vec::new(),
        _ => format!("none of its operations has such a place{}", examples(calls)),
    };
    let problem = format!("rule {:?} can match nothing: {why}", rule.name);
    vec![Idle::of(Some(number), None, problem)]
}

fn no_path(rule: Option<usize>, glob: &Glob, calls: &[Call<'_>]) -> Idle {
    let problem = format!("no call has a path like \"{glob}\"{}", examples(calls));
    Idle::of(rule, Some(glob), problem)
}

/// The calls of all operations; `None` if nobody says what they touch.
fn calls(domain: &Domain) -> Option<Vec<Call<'_>>> {
    let touches = domain.effects.touches.as_ref()?;
    let mut calls = Vec::new();
    for operation in domain.ruled() {
        let forms = touches.forms(operation).unwrap_or_else(|| vec![anything()]);
        calls.extend(forms.into_iter().map(|form| (operation, form)));
    }
    Some(calls)
}

fn anything() -> PathForm {
    PathForm {
        accesses: vec![Access::Read, Access::Write, Access::Delete, Access::Share],
        segments: vec![Segment::Value, Segment::Path],
    }
}

/// Whether the outermost container of a form can be one that a glob matches.
fn is_root(glob: &Glob, form: &PathForm) -> bool {
    form.segments.get(..1).is_some_and(|root| glob.meets(root))
}

/// Whether calls of this form may be denied for what is in the place that they name.
fn reaches_below(form: &PathForm, rule: &Rule) -> bool {
    rule.effect == RuleEffect::Deny && form.accesses != [Access::Read]
}

fn reaches_all(form: &PathForm, rule: &Rule) -> bool {
    form.segments.is_empty() && reaches_below(form, rule)
}

/// Whether a glob is about a place of this form, or for a denial about something in it.
fn meets(glob: &Glob, form: &PathForm, rule: &Rule) -> bool {
    glob.meets(&form.segments) || reaches_below(form, rule) && is_below(glob, form)
}

/// Whether a glob is about something in a place of this form.
fn is_below(glob: &Glob, form: &PathForm) -> bool {
    let inner: Vec<Segment> = (form.segments.iter().cloned())
        .chain([Segment::Path])
        .collect();
    glob.meets(&inner)
}

/// Whether a glob protects a place of this form: the place, what contains it, or something
/// in it.
fn contains(glob: &Glob, form: &PathForm) -> bool {
    let mut around = (1..=form.segments.len()).filter_map(|end| form.segments.get(..end));
    let whole = glob.without_slash();
    around.any(|segments| glob.meets(segments))
        || is_below(glob, form)
        || whole.is_some_and(|glob| contains(&glob, form))
}

/// Some paths that there are: a clause with what comes before it.
fn examples(calls: &[Call<'_>]) -> String {
    const FEW: usize = 3;
    let mut known: Vec<String> = Vec::new();
    for (_, form) in calls {
        let text = |segment: &Segment| match segment {
            Segment::Text(text) => text.clone(),
            Segment::Value => "*".to_owned(),
            Segment::Path => "**".to_owned(),
        };
        let segments: Vec<String> = form.segments.iter().map(text).collect();
        let path = segments.join("/");
        if !path.is_empty() && !known.contains(&path) {
            known.push(path);
        }
    }
    let shown = known
        .iter()
        .take(FEW)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    match known.len() {
        0 => String::new(),
        many if many > FEW => format!("; there are {shown} and {}", counted(many - FEW, "other")),
        _ => format!("; there are {shown}"),
    }
}
