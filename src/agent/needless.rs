//! Programs that wait for nothing.

use crate::dialogue::{Program, Status};
use crate::domain::{Domain, World, call_sites};

/// Of a program that is drafting without a reason, as a clause after "the program": no value
/// is missing, and what only reads is not asked about. None of the dataset's does.
pub(super) fn needless(
    program: &Program,
    status: Status,
    domain: &Domain,
    world: &dyn World,
) -> Option<String> {
    let waits = status != Status::Drafting || !program.placeholders().is_empty();
    let sites = call_sites(program, domain);
    let writes = sites.iter().any(|site| world.writes(&site.operation));
    (!waits && !writes).then(|| {
        "is drafting, but lacks no value and changes nothing: there is nothing to ask the user, \
         so it is final"
            .to_owned()
    })
}
