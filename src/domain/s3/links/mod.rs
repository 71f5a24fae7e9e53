//! Links that are signed ahead (presigned URLs): whoever has one can make the call that it
//! was signed for, without credentials, until it expires.
//!
//! Programs never hold a link that works. `generate_presigned_url` gives them a link with
//! the form of botocore's, in which the signature and the ID of the access key are withheld.
//! When the call is carried out on a server, the host signs the link and shows it to the
//! user alone ([`SharedLink`]). So no working link gets into an outcome, a prompt, a
//! recording or a journal.
//!
//! `request.rs` is what a program asks for, and `url.rs` the link that it gets.
//! [`remote`](super::remote) signs the link that works.
//!
//! [`SharedLink`]: crate::domain::SharedLink

mod request;
mod url;

pub(super) use request::LinkRequest;
pub(super) use url::Endpoint;

use super::memory::Store;
use super::params::Params;
use crate::domain::{Access, Answer, Operation, Place, Touched, Value};

/// The operation of programs that makes a link.
pub(super) const SIGN: &str = "generate_presigned_url";

/// The link that [`SIGN`] would give a program, without signing one. Drafts ask their base
/// for it. It is no operation of the domain, so programs cannot call it.
pub(super) const DESCRIBE: &str = "describe_presigned_url";

/// The setting of a place that stands for links to it.
const SETTING: &str = "link";

/// The operation [`SIGN`] for the domain.
pub(super) fn operation() -> Operation {
    let parameters = ["ClientMethod", "Params", "ExpiresIn", "HttpMethod"];
    Operation {
        undocumented: vec!["SignatureVersion".into()],
        ..Operation::new(SIGN, Access::Share, parameters, 1)
    }
}

/// Whether a place stands for links to something.
pub(super) fn is_link(place: &Place) -> bool {
    let setting = place.setting().and_then(|it| it.strip_prefix(SETTING));
    setting.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// The link that a program gets from a store in memory. No server answers it.
pub(super) fn describe(store: &Store, params: Params<'_>) -> Answer {
    let endpoint = Endpoint {
        url: None,
        is_path_style: false,
        region: &store.region,
    };
    let request = LinkRequest::new(params)?;
    Ok(request.answer(&endpoint, store.clock.now(), false))
}

/// What a draft has seen of a call, if the call makes a link: nobody has the link yet.
pub(super) fn observed(operation: &str, params: &Value, answer: &Answer) -> Option<Vec<Touched>> {
    let answer = answer.as_ref().ok().filter(|_| operation == SIGN)?;
    let request = Params::new(params).and_then(LinkRequest::new).ok()?;
    let is_served = answer.get("Served") == Some(&Value::Bool(true));
    Some(vec![request.touched(is_served)])
}
