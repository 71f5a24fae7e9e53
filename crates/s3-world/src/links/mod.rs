//! Links that are signed ahead (presigned URLs): whoever has one can make the call that it
//! was signed for, without credentials, until it expires. The same holds for forms that upload
//! an object (presigned posts).
//!
//! Programs never hold a working link. `generate_presigned_url` gives them a link in the form of
//! botocore's, without the signature and the ID of the access key.
//! When the call is carried out on a server, the host signs the link and shows it to the
//! user alone ([`SharedLink`]). So no working link gets into an outcome, a prompt, a
//! recording or a journal.
//!
//! `request.rs` reads the request of a program, and `url.rs` writes the link that it gets;
//! `form.rs` does both for forms. [`remote`](super::remote) signs the working link.
//!
//! [`SharedLink`]: crate::domain::SharedLink

mod form;
mod request;
mod url;

pub(super) use form::{FormRequest, Signatory};
pub(super) use request::LinkRequest;
pub(super) use url::Endpoint;

use super::memory::Store;
use super::params::Params;
use crate::domain::{Access, Answer, Grant, Operation, Place, Touched, Value};

/// The operation of programs that makes a link.
pub(super) const SIGN: &str = "generate_presigned_url";

/// The link that [`SIGN`] would give a program, without signing one. Drafts ask their base
/// for it. It is no operation of the domain, so programs cannot call it.
pub(super) const DESCRIBE: &str = "describe_presigned_url";

/// The operation of programs that makes a form, and the one for drafts.
pub(super) const SIGN_FORM: &str = "generate_presigned_post";
pub(super) const DESCRIBE_FORM: &str = "describe_presigned_post";

/// The setting of a place that stands for links to it.
const SETTING: &str = "link";

/// The operations for the domain.
pub(super) fn operations() -> [Operation; 2] {
    let link = ["ClientMethod", "Params", "ExpiresIn", "HttpMethod"];
    let form = ["Bucket", "Key", "Fields", "Conditions", "ExpiresIn"];
    [
        Operation {
            undocumented: vec!["SignatureVersion".into()],
            ..Operation::new(SIGN, Access::Share, link, 1)
        },
        Operation {
            undocumented: vec!["SignatureVersion".into()],
            ..Operation::new(SIGN_FORM, Access::Share, form, 2)
        },
    ]
}

/// The operation that describes what another one signs.
pub(super) fn describing(operation: &str) -> Option<&'static str> {
    match operation {
        SIGN | DESCRIBE => Some(DESCRIBE),
        SIGN_FORM | DESCRIBE_FORM => Some(DESCRIBE_FORM),
        _ => None,
    }
}

/// The place that stands for all links and forms that a call signs; `None` for other calls,
/// and for those with malformed parameters.
pub(super) fn place(operation: &str, params: &Value) -> Option<Place> {
    let params = Params::new(params).ok()?;
    Some(match operation {
        SIGN => LinkRequest::new(params).ok()?.place(),
        SIGN_FORM => FormRequest::read(params)
            .ok()?
            .thing()
            .with_setting(SETTING),
        _ => return None,
    })
}

/// The call that the link or form permits.
pub(super) fn grant<'a>(operation: &str, params: &'a Value) -> Option<Grant<'a>> {
    let given = Params::new(params).ok()?;
    match operation {
        SIGN => {
            let request = LinkRequest::new(given).ok()?;
            Some(Grant {
                operation: request.operation.name,
                params: request.params,
                lasts: request.lasts(),
            })
        }
        // A form names bucket and key as an upload does.
        SIGN_FORM => Some(Grant {
            operation: "put_object",
            params,
            lasts: FormRequest::read(given).ok()?.lasts(),
        }),
        _ => None,
    }
}

/// Whether a place stands for links to something.
pub(super) fn is_link(place: &Place) -> bool {
    let kind = place.setting().and_then(|it| it.split(' ').next());
    kind.is_some_and(|kind| [SETTING, request::SETTING_OF_FORMS].contains(&kind))
}

/// The link that a program gets from a store in memory. No server answers it.
pub(super) fn describe(store: &Store, operation: &str, params: Params<'_>) -> Answer {
    let endpoint = Endpoint {
        url: None,
        is_path_style: false,
        region: &store.region,
    };
    let now = store.clock.now();
    Ok(match describing(operation) {
        Some(DESCRIBE_FORM) => FormRequest::new(params)?.answer(&endpoint, now, false),
        _ => LinkRequest::new(params)?.answer(&endpoint, now, false),
    })
}

/// The touched place of a call that makes a link or a form, as a draft records it.
pub(super) fn observed(operation: &str, params: &Value, answer: &Answer) -> Option<Vec<Touched>> {
    let is_served = answer.as_ref().ok()?.get("Served") == Some(&Value::Bool(true));
    let params = Params::new(params).ok()?;
    let touched = match operation {
        SIGN => LinkRequest::new(params).ok()?.touched(is_served),
        SIGN_FORM => FormRequest::new(params).ok()?.touched(is_served),
        _ => return None,
    };
    Some(vec![touched])
}
