//! Redirects, and links to further pages.

use super::model::Method;
use reqwest::Url;

/// The request that a redirect asks for.
#[derive(Debug, PartialEq)]
pub(super) enum Redirect {
    /// The same request, or one without a body by GET, to another path of this server.
    Within(Url, Method),
    /// A request to another server. It is not made, because it would show that server the
    /// secrets and the content of the call.
    Elsewhere(String),
    /// The answer is no redirect that can be followed.
    None,
}

/// The redirect of an answer (RFC 9110, section 15.4).
pub(super) fn redirect(status: u16, location: Option<&str>, at: &Url, method: Method) -> Redirect {
    let method = match (status, method) {
        (303, Method::Head) => Method::Head,
        (303, _) => Method::Get,
        // All clients turn these into a GET.
        (301 | 302, Method::Post) => Method::Get,
        (301 | 302 | 307 | 308, method) => method,
        _ => return Redirect::None,
    };
    let Some(next) = location.and_then(|location| at.join(location).ok()) else {
        return Redirect::None;
    };
    match next.origin() == at.origin() {
        true => Redirect::Within(next, method),
        false => Redirect::Elsewhere(next.origin().ascii_serialization()),
    }
}

/// The URL that a link leads to from this one, if it is on the same server. A link that is only
/// a query changes these parameters of the URL, and leaves out those that are `hidden`.
pub(super) fn beside(at: &str, link: &str, hidden: &[&str]) -> Option<String> {
    let at = Url::parse(at).ok()?;
    let mut next = at.join(link).ok()?;
    if next.origin() != at.origin() {
        return None;
    }
    next.set_fragment(None);
    let pairs = |url: &Url| {
        url.query_pairs()
            .into_owned()
            .collect::<Vec<(String, String)>>()
    };
    let mut query = pairs(&next);
    let given = query.len();
    query.retain(|(name, _)| !hidden.contains(&name.as_str()));
    let mut is_changed = query.len() < given;
    if link.starts_with('?') {
        let others = pairs(&at);
        let others = others.into_iter();
        let kept = others.filter(|(name, _)| query.iter().all(|(known, _)| known != name));
        let kept: Vec<(String, String)> = kept.collect();
        is_changed |= !kept.is_empty();
        query.splice(0..0, kept);
    }
    if is_changed {
        next.set_query(None);
        for (name, value) in query {
            next.query_pairs_mut().append_pair(&name, &value);
        }
    }
    Some(next.to_string())
}

/// The server of a URL, as `https://api.example.com:8443`.
pub(super) fn origin(url: &str) -> String {
    let origin = Url::parse(url).map(|url| url.origin().ascii_serialization());
    origin.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_stay_with_their_server() {
        let at: Url = "https://a.test/v1/pets".parse().expect("a test value");
        let lead = |status, location, method| redirect(status, Some(location), &at, method);
        let within = |path: &str, method| Redirect::Within(at.join(path).expect("a path"), method);
        assert_eq!(lead(301, "/x", Method::Get), within("/x", Method::Get));
        assert_eq!(
            lead(302, "x?y=1", Method::Post),
            within("/v1/x?y=1", Method::Get)
        );
        assert_eq!(lead(307, "/x", Method::Post), within("/x", Method::Post));
        assert_eq!(lead(303, "/x", Method::Delete), within("/x", Method::Get));
        for other in [
            "http://a.test/x",
            "https://b.test/x",
            "//b.test/x",
            "https://a.test:8443/",
        ] {
            let led = lead(302, other, Method::Get);
            assert!(matches!(led, Redirect::Elsewhere(_)), "{other}: {led:?}");
        }
        assert_eq!(lead(304, "/x", Method::Get), Redirect::None);
        assert_eq!(redirect(302, None, &at, Method::Get), Redirect::None);
    }

    #[test]
    fn links_lead_to_pages_of_their_server() {
        let at = "https://a.test/v1/pets?kind=cat&page=1";
        let lead = |link| beside(at, link, &["key"]);
        for (link, to) in [
            ("/x?page=2", Some("https://a.test/x?page=2")),
            ("?page=2", Some("https://a.test/v1/pets?kind=cat&page=2")),
            ("dogs?a%20b=c#d", Some("https://a.test/v1/dogs?a%20b=c")),
            (
                "https://a.test/x?key=k&page=2",
                Some("https://a.test/x?page=2"),
            ),
            ("https://a.test/x?key=k", Some("https://a.test/x")),
            ("http://a.test/x?page=2", None),
            ("//b.test/x", None),
        ] {
            assert_eq!(lead(link).as_deref(), to, "{link}");
        }
    }
}
