//! The pages of S3's listings, by the table of the API.

use super::api;
use crate::domain::{AtOnce, Batch, Page, Pages, Value};

/// The names of a full page. A program that asks for fewer means to read only these; one that
/// asks for as many, or for more, may take the page for the whole listing.
/// `delete_objects` takes as many keys.
const FULL_PAGE: u16 = 1000;

/// See [`Pages`].
pub struct S3Pages;

impl Pages for S3Pages {
    fn page(&self, operation: &str, params: &Value, answer: &Value) -> Option<Page> {
        let pages = api::operation(operation)?.pages.as_ref()?;
        let wanted = pages.size.and_then(|size| params.get(size)?.as_int());
        if wanted.is_some_and(|names| names < i64::from(FULL_PAGE)) {
            return None;
        }
        let listed = pages.results.iter().filter_map(|field| answer.get(field));
        let items = listed.map(|items| items.as_list().map_or(0, <[Value]>::len));
        let has_more = match pages.more {
            Some(more) => answer.get(more) == Some(&Value::Bool(true)),
            None => pages.output.iter().any(|token| answer.get(token).is_some()),
        };
        let what = match *pages.results.first()? {
            "Contents" => "objects".to_owned(),
            field => field.to_lowercase(),
        };
        let bucket = params.get("Bucket").and_then(Value::as_str);
        let Value::Map(named) = params else {
            return None;
        };
        // A program may ask for a size with some pages of a listing only.
        let is_of_page = |name: &str| pages.input.contains(&name) || pages.size == Some(name);
        let selection = named.iter().filter(|(name, _)| !is_of_page(name));
        Some(Page {
            listing: format!("{operation} {:?}", selection.collect::<Vec<_>>()),
            title: match bucket {
                Some(bucket) => format!("{what} of \"{bucket}\""),
                None => what,
            },
            items: items.sum(),
            has_more,
        })
    }

    fn at_once(&self, operation: &str) -> Option<AtOnce> {
        let kind = match operation {
            "delete_objects" => Batch::Takes("Delete"),
            // It gives all buckets of an account, unless a program asks for fewer.
            "list_buckets" => return None,
            _ => {
                let pages = api::operation(operation)?.pages.as_ref()?;
                Batch::Gives(pages.input.iter().copied().chain(pages.size).collect())
            }
        };
        Some(AtOnce {
            items: usize::from(FULL_PAGE),
            kind,
        })
    }

    fn prefix(&self, operation: &str) -> Option<&'static str> {
        let listings = ["list_objects", "list_objects_v2", "list_object_versions"];
        listings.contains(&operation).then_some("Prefix")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Map;

    /// The first page of a listing with more.
    fn page(operation: &str, params: &[(&str, Value)]) -> Option<Page> {
        let named: Map = (params.iter())
            .map(|(name, value)| ((*name).to_owned().into(), value.clone()))
            .collect();
        let answer = Value::Map(vec![("IsTruncated".into(), true.into())]);
        S3Pages.page(operation, &Value::Map(named), &answer)
    }

    #[test]
    fn only_a_size_below_a_full_page_is_a_wish() {
        let listings = [
            ("list_buckets", "MaxBuckets"),
            ("list_objects", "MaxKeys"),
            ("list_objects_v2", "MaxKeys"),
            ("list_object_versions", "MaxKeys"),
            ("list_parts", "MaxParts"),
            ("list_multipart_uploads", "MaxUploads"),
        ];
        for (operation, size) in listings {
            let told = [1, 999, 1000, 2000].map(|names: i64| {
                let found = page(operation, &[(size, Value::from(names))]);
                found.is_some()
            });
            assert_eq!(told, [false, false, true, true], "{operation}");
        }
        assert_eq!(page("get_object", &[]), None);
    }

    #[test]
    fn pages_of_one_listing_have_one_name() {
        let of_bucket = |more: &[(&str, Value)]| {
            let mut params = vec![("Bucket", Value::from("zoo-photos"))];
            params.extend_from_slice(more);
            page("list_objects_v2", &params).map(|page| page.listing)
        };
        let first = of_bucket(&[]);
        let next = [
            ("ContinuationToken", Value::from("t")),
            ("MaxKeys", Value::from(1000)),
        ];
        assert!(first.is_some());
        assert_eq!(of_bucket(&next), first);
        assert_ne!(of_bucket(&[("Prefix", Value::from("a/"))]), first);
    }
}
