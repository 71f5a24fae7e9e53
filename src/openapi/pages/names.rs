//! The names that parameters and answers have for paging, in the form of [`key`].

/// A name in lower case and without separators: `@odata.nextLink` is `odatanextlink`.
pub fn key(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

/// Whether a name is one of these.
pub fn is(name: &str, known: &[&str]) -> bool {
    known.contains(&key(name).as_str())
}

/// Parameters that count pages.
pub const PAGE: &[&str] = &["page", "pagenumber", "pageno", "pagenum", "pageindex"];
/// Parameters that count the items before the page.
pub const OFFSET: &[&str] = &["offset", "skip", "startat", "startindex", "start"];
/// Parameters that take a mark of the answer before.
pub const CURSOR: &[&str] = &[
    "cursor",
    "nextcursor",
    "pagetoken",
    "nexttoken",
    "nextpagetoken",
    "continuationtoken",
    "continuation",
    "skiptoken",
    "scrollid",
    "bookmark",
    "startingafter",
    "after",
    "marker",
    "startcursor",
    "pagecursor",
    "nextpage",
    "startafter",
    "afterid",
    "lastid",
];
/// Those of them that take the `id` of the last item, where the answer has no mark.
pub const AFTER: &[&str] = &["startingafter", "startafter", "afterid", "lastid"];
/// Parameters for the size of a page.
pub const SIZE: &[&str] = &[
    "perpage",
    "pagesize",
    "limit",
    "size",
    "count",
    "maxresults",
    "maxitems",
    "pagelimit",
    "take",
    "top",
    "first",
    "n",
];

/// Fields with the URL of the next page.
pub const LINK: &[&str] = &[
    "odatanextlink",
    "nextlink",
    "nextpagelink",
    "nextpageuri",
    "nextpageurl",
    "nexturi",
    "nexturl",
    "nexthref",
    "nextrecordsurl",
    "nextresultsurl",
];
/// Fields that are about the next page, and may have its URL, its mark or its number.
pub const NEXT: &[&str] = &["next", "nextpage"];
/// Fields with a mark for the next page. Those further down may repeat the mark of the page
/// itself.
pub const MARK: &[&str] = &[
    "nextcursor",
    "nextpagetoken",
    "nexttoken",
    "nextpagecursor",
    "nextmarker",
    "nextcontinuationtoken",
    "nextpage",
    "continuationtoken",
    "continuation",
    "endcursor",
    "cursornext",
    "next",
    "scrollid",
    "bookmark",
    "cursor",
    "after",
    "pagetoken",
    "marker",
];
/// How many of [`MARK`] are about the next page whatever the call was.
pub const SURE_MARKS: usize = 12;
/// Fields with the parameter of the next page, where it counts items.
pub const NEXT_OFFSET: &[&str] = &["nextoffset", "nextskip", "nextstart", "nextstartat", "next"];
/// Fields with the number of the next page.
pub const NEXT_PAGE: &[&str] = &["nextpage", "nextpagenumber", "next"];

/// Fields that say whether there are more items.
pub const MORE: &[&str] = &[
    "hasmore",
    "hasnext",
    "hasnextpage",
    "more",
    "moreresults",
    "moreavailable",
    "hasmoreitems",
    "hasmoreresults",
    "moreitems",
    "istruncated",
    "truncated",
];
/// Fields that say whether this page is the last one.
pub const LAST: &[&str] = &["last", "islast", "islastpage", "lastpage", "done", "isend"];
/// Fields that count the items of all pages.
pub const TOTAL: &[&str] = &[
    "totalcount",
    "total",
    "totalitems",
    "totalresults",
    "totalelements",
    "totalrecords",
    "totalhits",
    "totalsize",
    "numfound",
    "odatacount",
];
/// Fields that count the items of all pages, or those of this one.
pub const COUNT: &[&str] = &["count"];
/// Fields that count the pages.
pub const PAGES: &[&str] = &[
    "totalpages",
    "pagecount",
    "pages",
    "numpages",
    "totalpagecount",
];
/// Fields with the number of the last page.
pub const LAST_PAGE: &[&str] = &["lastpage"];
/// Fields with the number of this page.
pub const NUMBER: &[&str] = &[
    "number",
    "page",
    "currentpage",
    "pagenumber",
    "pageno",
    "pageindex",
    "current",
];

/// Dicts of an answer that are about its pages, or around all of it.
pub const AROUND: &[&str] = &[
    "meta",
    "metadata",
    "paging",
    "pagination",
    "pager",
    "page",
    "pageinfo",
    "pagemetadata",
    "pages",
    "links",
    "link",
    "next",
    "cursors",
    "cursor",
    "responsemetadata",
    "listinfo",
    "resultinfo",
    "navigation",
    "data",
    "response",
    "result",
    "results",
    "body",
    "d",
];

/// Fields of answers that tell of an error.
pub const ERROR: &[&str] = &["error", "errors", "fault", "errormessage", "exception"];

/// Lists beside the items of an answer.
pub const BESIDE: &[&str] = &[
    "errors",
    "warnings",
    "messages",
    "notes",
    "notices",
    "links",
    "link",
    "included",
    "includes",
    "facets",
    "aggregations",
    "columns",
    "fields",
    "headers",
    "schema",
    "deprecations",
    "unreachable",
    "sort",
    "filters",
    "tags",
];
/// Usual names of the items of an answer.
pub const ITEMS: &[&str] = &[
    "items",
    "results",
    "data",
    "values",
    "records",
    "entries",
    "content",
    "value",
    "list",
    "rows",
    "hits",
    "docs",
    "elements",
    "objects",
    "members",
    "resources",
];
