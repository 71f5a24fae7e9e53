//! Puts the links that work into a reply.

use super::view::Reply;
use crate::domain::SharedLink;

/// Replaces the forms of links that programs know by the links that work, which only the user is
/// shown. The claims of the reply keep their places; what is said within a link is none.
pub(super) fn put_into(reply: &mut Reply, links: &[SharedLink]) {
    // The last one first: it is valid for longest.
    for link in links.iter().rev() {
        for place in link.places(&reply.text).into_iter().rev() {
            let (old, new) = (place.len(), link.url.len());
            let is_beside = |range: &std::ops::Range<usize>| {
                range.end <= place.start || range.start >= place.end
            };
            (reply.unsupported).retain(|claim| is_beside(&claim.range));
            for claim in &mut reply.unsupported {
                if claim.range.start >= place.end {
                    let moved = |at: usize| at - old + new;
                    claim.range = moved(claim.range.start)..moved(claim.range.end);
                }
            }
            reply.text.replace_range(place, &link.url);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::{Evidence, unsupported};

    fn link(url: &str) -> SharedLink {
        SharedLink {
            about: "read a.txt for 1 hour".to_owned(),
            url: url.to_owned(),
            method: None,
            headers: Vec::new(),
            fields: Vec::new(),
            withheld: "withheld-1f".to_owned(),
        }
    }

    #[test]
    fn claims_keep_their_places_and_links_are_no_claims() {
        let text = "5 files: https://zoo.example/9.txt?key=withheld-1f, and 7 more.";
        let mut reply = Reply {
            text: text.to_owned(),
            unsupported: unsupported(text, &Evidence::default()),
            plain: false,
            failure: None,
            ends_dialogue: false,
        };
        let links = [
            link("https://zoo.example/9.txt?key=old"),
            link("https://zoo.example/9.txt?key=a-long-secret"),
        ];
        put_into(&mut reply, &links);
        let expected = "5 files: https://zoo.example/9.txt?key=a-long-secret, and 7 more.";
        assert_eq!(reply.text, expected);
        let stated = reply.unsupported.iter();
        let stated = stated.map(|claim| (Some(&*claim.text), reply.text.get(claim.range.clone())));
        let same = |text| (Some(text), Some(text));
        assert_eq!(stated.collect::<Vec<_>>(), [same("5"), same("7")]);
    }
}
