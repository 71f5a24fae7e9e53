//! Pages that links lead to, and those that a program did not read.

use super::walks::{Serve, all, check, document, list, number, things};
use super::{api, params};
use dialog2api::domain::{Pages, Value};
use dialog2api::openapi::ApiPages;
use expect_test::expect;
use serde_json::json;
use std::sync::Arc;

/// Links: in several places of the answer, and with `null` at the end.
#[tokio::test]
async fn links_lead_to_the_end() {
    let page = || json!({"page": {"type": "integer"}});
    let django: Serve = |query| {
        let page = number(query, "page", 1);
        let next = (page < 3).then(|| format!("/things?page={}", page + 1));
        match page {
            1..4 => (
                200,
                json!({"count": 7, "next": next, "results": things(page * 3 - 2, page * 3 + 1)}),
            ),
            _ => (404, json!({"detail": "Invalid page."})),
        }
    };
    let hal: Serve = |query| {
        let page = number(query, "pagina", 1);
        let mut links = json!({"self": {"href": "/things"}});
        if page < 3 {
            links["next"] = json!({"href": format!("/things?pagina={}", page + 1)});
        }
        (
            200,
            json!({"_links": links, "_embedded": {"dingen": things(page * 3 - 2, page * 3 + 1)}}),
        )
    };
    let odata: Serve = |query| {
        let start = number(query, "$skiptoken", 0);
        let mut page = json!({"value": things(start + 1, start + 4)});
        if start + 3 < 7 {
            page["@odata.nextLink"] = json!(format!("/things?$top=3&$skiptoken={}", start + 3));
        }
        (200, page)
    };
    let twilio: Serve = |query| {
        let at = query
            .get("PageToken")
            .map_or(0, |it| it.trim_start_matches("PA").parse().expect("a page"));
        let next =
            (at < 2).then(|| format!("/things?PageSize=1&Page={}&PageToken=PA{}", at + 1, at + 1));
        (
            200,
            json!({"page": at, "calls": [{"id": at}], "next_page_uri": next}),
        )
    };
    let only_query: Serve = |query| {
        let page = number(query, "page", 1);
        let next = if page < 3 {
            json!(format!("?page={}", page + 1))
        } else {
            json!(false)
        };
        (
            200,
            json!({"items": things(page * 3 - 2, page * 3 + 1), "links": {"next": next}}),
        )
    };
    let listed: Serve = |query| {
        let page = number(query, "page", 1);
        let mut links = vec![json!({"rel": "self", "href": "/things"})];
        if page < 3 {
            links.push(json!({"rel": "next", "href": format!("/things?page={}", page + 1)}));
        }
        (
            200,
            json!({"items": things(page * 3 - 2, page * 3 + 1), "links": links}),
        )
    };
    let round: Serve = |query| {
        let page = number(query, "page", 1);
        (
            200,
            json!({"items": things(page * 3 - 2, page * 3 + 1), "next": format!("/things?page={}", 3 - page)}),
        )
    };
    let elsewhere: Serve = |_| {
        (
            200,
            json!({"items": things(1, 4), "next": "https://b.test/things?page=2&session=x"}),
        )
    };
    let fails: Serve = |query| match number(query, "page", 1) {
        1 => (
            200,
            json!({"items": things(1, 4), "next": "/things?page=2"}),
        ),
        _ => (500, json!({"message": "broken"})),
    };
    let href = || json!({"type": "object", "properties": {"next": {"type": "object"}}});
    check(
        vec![
            all(page(), json!({"count": {}, "next": {}, "results": list()}), json!({}), django).await,
            all(json!({"pagina": {"type": "integer"}}), json!({"_links": href(), "_embedded": {"type": "object", "properties": {"dingen": list()}}}), json!({}), hal).await,
            all(json!({"$top": {"type": "integer"}, "$skip": {"type": "integer"}}), json!({"value": list(), "@odata.nextLink": {"type": "string"}}), json!({"top": 3}), odata).await,
            all(json!({"PageSize": {"type": "integer"}, "Page": {"type": "integer", "minimum": 0}, "PageToken": {"type": "string"}}), json!({"calls": list(), "next_page_uri": {"type": "string"}}), json!({}), twilio).await,
            all(json!({"page": {"type": "integer"}, "kind": {"type": "string"}}), json!({}), json!({"kind": "cat"}), only_query).await,
            all(page(), json!({}), json!({}), listed).await,
            all(page(), json!({}), json!({}), round).await,
            all(page(), json!({}), json!({}), elsewhere).await,
            all(page(), json!({}), json!({}), fails).await,
        ],
        expect![[r#"
            / ?page=2 ?page=3 -> [{id: 1}, {id: 2}, {id: 3}, {id: 4}, {id: 5}, {id: 6}, {id: 7}]
            / ?pagina=2 ?pagina=3 -> [{id: 1}, {id: 2}, {id: 3}, {id: 4}, {id: 5}, {id: 6}, {id: 7}]
            ?%24top=3 ?$top=3&$skiptoken=3 ?$top=3&$skiptoken=6 -> [{id: 1}, {id: 2}, {id: 3}, {id: 4}, {id: 5}, {id: 6}, {id: 7}]
            / ?PageSize=1&Page=1&PageToken=PA1 ?PageSize=1&Page=2&PageToken=PA2 -> [{id: 0}, {id: 1}, {id: 2}]
            ?kind=cat ?kind=cat&page=2 ?kind=cat&page=3 -> [{id: 1}, {id: 2}, {id: 3}, {id: 4}, {id: 5}, {id: 6}, {id: 7}]
            / ?page=2 ?page=3 -> [{id: 1}, {id: 2}, {id: 3}, {id: 4}, {id: 5}, {id: 6}, {id: 7}]
            / ?page=2 ?page=1 -> RepeatedPage list_things has no end: the server leads from its page 3 to one that was read before: [{id: 1}, {id: 2}, {id: 3}, {id: 4}, {id: 5}, {id: 6}, {id: 1}, {id: 2}, {id: 3}]
            / -> PageElsewhere the server says that the next page is at https://b.test/things?page=2&session=x, which is not on this server; it was not followed: [{id: 1}, {id: 2}, {id: 3}]
            / ?page=2 -> InternalServerError broken (after 1 page with 3 items, in `details["items"]` of this error): [{id: 1}, {id: 2}, {id: 3}]
        "#]],
    )
    .await;
}

/// A program that reads the first page alone is told that there are more.
#[test]
fn a_page_that_is_not_the_last_is_noticed() {
    let parameters = json!({"page": {"type": "integer"}, "limit": {"type": "integer"}, "kind": {"type": "string"}});
    let pages = ApiPages::new(Arc::new(api(&document(parameters, json!({})))));
    let mut shown = String::new();
    for (call, answer) in [
        (
            json!({}),
            json!({"value": [1, 2], "@odata.nextLink": "/things?page=2"}),
        ),
        (
            json!({"page": 2}),
            json!({"value": [3], "@odata.nextLink": null}),
        ),
        (
            json!({"kind": "cat"}),
            json!({"_links": {"next": {"href": "/x"}}, "_embedded": {"things": [1]}}),
        ),
        (json!({}), json!({"items": [1], "has_more": true})),
        (json!({}), json!({"items": [1], "total": 4})),
        (json!({}), json!({"items": [1], "total": 1})),
        (json!({"limit": 1}), json!({"items": [1], "total": 4})),
        (json!({"all_pages": true}), json!([1, 2])),
        (json!({}), json!({"name": "x", "next": "/y?z"})),
    ] {
        let page = pages.page(
            "list_things",
            &params(call.clone()),
            &params(answer.clone()),
        );
        let page = page.map(|it| (it.title, it.items, it.has_more));
        shown += &format!("{call} {answer}: {page:?}\n");
    }
    expect![[r#"
        {} {"value":[1,2],"@odata.nextLink":"/things?page=2"}: Some(("items of list_things", 2, true))
        {"page":2} {"value":[3],"@odata.nextLink":null}: Some(("items of list_things", 1, false))
        {"kind":"cat"} {"_links":{"next":{"href":"/x"}},"_embedded":{"things":[1]}}: Some(("items of list_things", 1, true))
        {} {"items":[1],"has_more":true}: Some(("items of list_things", 1, true))
        {} {"items":[1],"total":4}: Some(("items of list_things", 1, true))
        {} {"items":[1],"total":1}: Some(("items of list_things", 1, false))
        {"limit":1} {"items":[1],"total":4}: None
        {"all_pages":true} [1,2]: None
        {} {"name":"x","next":"/y?z"}: None
    "#]].assert_eq(&shown);
    assert!(pages.page("nothing", &Value::Null, &Value::Null).is_none());
}
