//! The claims of replies, and their support: text in, marked text out.
//!
//! - `spelling`: what is a claim and what is English
//! - `rules`: each rule of support, with what it takes and what it does not
//! - `whole`: the replies of the dataset are not marked, and errors planted in them are
//! - `planted`: the errors
//! - `rows`: the same of what the rows of a world decide, in three languages
//! - `properties`: random replies

mod planted;
mod properties;
mod rows;
mod rules;
mod spelling;
mod whole;

use dialog2api::claims::Claim;

/// The reply with `⟨⟩` around these claims.
fn marked(reply: &str, claims: &[Claim]) -> String {
    let mut text = String::new();
    let mut at = 0;
    for claim in claims {
        assert_eq!(reply.get(claim.range.clone()), Some(claim.text.as_str()));
        text.push_str(&reply[at..claim.range.start]);
        text.push_str(&format!("⟨{}⟩", claim.text));
        at = claim.range.end;
    }
    text.push_str(&reply[at..]);
    text
}
