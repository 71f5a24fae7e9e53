//! Programs that wait for nothing.

use crate::dialogue::{Program, Status};
use crate::domain::{Calls, Domain, World};

/// Of a program that is drafting without a reason, as a clause after "the program": no value
/// is missing, and what only reads is not asked about. None of the dataset's does.
pub(super) fn needless(
    program: &Program,
    status: Status,
    domain: &Domain,
    world: &dyn World,
) -> Option<String> {
    let waits = status != Status::Drafting || !program.placeholders().is_empty();
    let calls = Calls::of(program, domain);
    let mut sites = calls.sites.iter();
    // A call that cannot be named may write.
    let writes = calls.unresolved.is_some() || sites.any(|site| world.writes(&site.operation));
    (!waits && !writes).then(|| {
        "is drafting, but lacks no value and changes nothing: there is nothing to ask the user, \
         so it is final"
            .to_owned()
    })
}
