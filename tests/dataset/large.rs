//! Programs that work in the small world of their dialogue, and fail or destroy on a large account.

use super::{GOOD, findings, set};
use dialog2api::dialogue::Program;
use dialog2api::domain::call_sites;
use dialog2api::domain::s3::S3;
use expect_test::{Expect, expect};

/// The end of a program of the good dialogue that reads.
const COUNT: &str = "return len(objects)";

/// The program of the good dialogue that deletes, as a draft.
const DELETION: &str = "s3.delete_object(Bucket=\"zoology-bucket\", Key=\"sea_animals/otter.txt\")";

/// What one check finds when a program of the good dialogue is another one.
async fn check(name: &str, sound: &str, defect: &str, expected: Expect) {
    assert!(GOOD.contains(sound), "{sound:?} is not in the dialogue");
    check_text(name, &GOOD.replacen(sound, defect, 1), expected).await;
}

/// What one check finds in a dialogue.
async fn check_text(name: &str, text: &str, expected: Expect) {
    let findings = findings(&set(&[("train/good.xml", text)], None)).await;
    let begin = format!("[{name}] ");
    let about = findings
        .lines()
        .filter_map(|line| line.strip_prefix(&begin));
    expected.assert_eq(&about.collect::<Vec<_>>().join("\n"));
}

#[tokio::test]
async fn a_listing_is_read_to_its_end() {
    let name = "call limits";
    let list = |more: &str| format!("return s3.list_objects_v2(Bucket=\"zoology-bucket\"{more})");
    check(name, COUNT, &list(""), expect!["train/good.xml, turn 6, goal 4: calls list_objects_v2 in line 5, which gives at most 1000 items; read all pages with a paginator, or ask for fewer"]).await;
    check(name, COUNT, &list(", MaxKeys=1000"), expect!["train/good.xml, turn 6, goal 4: calls list_objects_v2 in line 5, which gives at most 1000 items; read all pages with a paginator, or ask for fewer"]).await;
    check(name, COUNT, &list(", MaxKeys=1"), expect![[""]]).await;
    check(
        name,
        COUNT,
        &list(", ContinuationToken=token"),
        expect![[""]],
    )
    .await;
    let versions = "return s3.list_object_versions(Bucket=\"zoology-bucket\")";
    check(name, COUNT, versions, expect!["train/good.xml, turn 6, goal 4: calls list_object_versions in line 5, which gives at most 1000 items; read all pages with a paginator, or ask for fewer"]).await;
    // All buckets come at once, and so do all settings.
    let buckets = "return s3.list_buckets()[\"Buckets\"]";
    check(name, COUNT, buckets, expect![[""]]).await;
}

#[tokio::test]
async fn a_call_gets_no_more_than_it_takes() {
    let name = "call limits";
    let delete = |list: &str| {
        format!(
            "pages = s3.get_paginator(\"list_objects\").paginate(Bucket=\"zoology-bucket\")\n\
             keys = [obj[\"Key\"] for page in pages for obj in page.get(\"Contents\", [])]\n\
             s3.delete_objects(Bucket=\"zoology-bucket\", Delete={{\"Objects\": {list}}})"
        )
    };
    let all = "[{\"Key\": key} for key in keys]";
    check(name, DELETION, &delete(all), expect!["train/good.xml, turn 4, goal 3: passes a list of any length to delete_objects in line 3, which takes at most 1000 items; pass those of one page, or slices of 1000"]).await;
    let slice = "[{\"Key\": key} for key in keys[start:start + 1000]]";
    check(name, DELETION, &delete(slice), expect![[""]]).await;
    let long = "[{\"Key\": key} for key in keys[start:start + 2000]]";
    check(name, DELETION, &delete(long), expect!["train/good.xml, turn 4, goal 3: passes a list of any length to delete_objects in line 3, which takes at most 1000 items; pass those of one page, or slices of 1000"]).await;
}

#[tokio::test]
async fn what_is_new_does_not_overwrite() {
    let name = "run again";
    let write = |more: &str| {
        format!("s3.put_object(Bucket=\"zoology-bucket\", Key=\"new.txt\", Body=b\"Big.\"{more})")
    };
    check(name, COUNT, &write(""), expect!["train/good.xml, turn 6, goal 4: overwrites zoology-bucket/new.txt if it is there already, as it is when the program runs once more; refuse that in the call, or look first"]).await;
    check(name, COUNT, &write(", IfNoneMatch=\"*\""), expect![[""]]).await;
    let look = "pages = s3.get_paginator(\"list_objects\").paginate(Bucket=\"zoology-bucket\")\n\
                keys = [obj[\"Key\"] for page in pages for obj in page.get(\"Contents\", [])]\n\
                if \"new.txt\" in keys:\n    return \"taken\"\n";
    check(name, COUNT, &format!("{look}{}", write("")), expect![[""]]).await;
    let copy = "s3.copy_object(Bucket=\"zoology-bucket\", CopySource=\"zoology-bucket/sightings.csv\", Key=\"new.csv\")";
    check(name, COUNT, copy, expect!["train/good.xml, turn 6, goal 4: overwrites zoology-bucket/new.csv if it is there already, as it is when the program runs once more; refuse that in the call, or look first"]).await;
    // The user has said yes to the whole program, and settings are set anew.
    check(name, DELETION, &write(""), expect![[""]]).await;
    let tags = "s3.put_object_tagging(Bucket=\"zoology-bucket\", Key=\"sea_animals/orca.txt\", \
                Tagging={\"TagSet\": [{\"Key\": \"size\", \"Value\": \"big\"}]})";
    check(name, COUNT, tags, expect![[""]]).await;
}

/// The most items of the list that is deleted.
fn longest(code: &str) -> Option<usize> {
    let sites = call_sites(&Program::new(code), &S3);
    let keywords = sites.iter().flat_map(|site| &site.keywords);
    let mut lists = keywords.filter(|keyword| keyword.name == "Delete");
    lists.next().expect("a deletion").longest
}

#[test]
fn a_list_is_as_long_as_the_program_shows() {
    let pages = "pages = s3.get_paginator('list_objects').paginate(Bucket='b')\n";
    for (before, list, expected) in [
        ("", "[{'Key': 'a'}, {'Key': 'b'}]", Some(2)),
        ("more = [{'Key': 'a'}]\n", "[*more, {'Key': 'b'}]", Some(2)),
        ("", "[*more, {'Key': 'b'}]", None),
        ("", "[{'Key': k} for k in ['a', 'b', 'c']]", Some(3)),
        (
            "n = ('a', 'b')\nk = [f'{x}.txt' for x in n]\n",
            "[{'Key': x} for x in k]",
            Some(2),
        ),
        (
            "",
            "[{'Key': f'{a}{b}'} for a in ('x', 'y') for b in ('1', '2')]",
            Some(4),
        ),
        // What the user says is no listing.
        ("", "[{'Key': k} for k in ?1]", Some(1)),
        (
            "keys = text.split()\n",
            "[{'Key': k} for k in keys[:?1]]",
            Some(1),
        ),
        (
            "k = [o for p in s3.get_paginator('list_objects').paginate() for o in p['Contents']]\n",
            "k",
            None,
        ),
        (
            "for page in pages:\n    keys = [o for o in page.get('Contents', []) if o]\n",
            "keys",
            Some(1000),
        ),
        (
            "for page in pages:\n    keys = {o['Key'] for o in page['Contents']}\n",
            "sorted(keys)",
            Some(1000),
        ),
        (
            "page = s3.list_objects(Bucket='b')\n",
            "page.get('Contents', [])",
            Some(1000),
        ),
        ("", "keys[start:start + 1000]", Some(1000)),
        (
            "size = 500\n",
            "[{'Key': k} for k in keys[at:size + at]]",
            Some(500),
        ),
        (
            "keys = text.split()\n",
            "keys[start:start + 2000]",
            Some(2000),
        ),
        ("keys = text.split()\n", "keys[:10]", Some(10)),
        ("keys = text.split()\n", "keys[-3:]", Some(3)),
        ("keys = text.split()\n", "keys[:-3]", None),
        ("keys = text.split()\n", "keys[start:]", None),
        ("keys = text.split()\n", "keys[start:start * 2]", None),
        (
            "for some in itertools.batched(keys, 1000):\n    pass\n",
            "[{'Key': k} for k in some]",
            Some(1000),
        ),
        ("for some in halves(keys):\n    pass\n", "some", None),
        ("def wipe(keys):\n    pass\nwipe(['a'])\n", "keys", Some(1)),
        (
            "keys = []\nfor line in text:\n    keys.append(line)\n",
            "keys",
            None,
        ),
        ("keys = ['a']\nkeys += text.split()\n", "keys", None),
        (
            "new = {}\nnew[key] = 'a'\n",
            "[{'Key': old} for old in new]",
            None,
        ),
        (
            "keys = set(['a', 'b']) | {'c'}\nkeys.discard('a')\n",
            "list(keys)",
            Some(3),
        ),
    ] {
        let code = format!(
            "{pages}{before}s3.delete_objects(Delete={{'Objects': {list}, 'Quiet': True}})"
        );
        assert_eq!(longest(&code), expected, "{code}");
    }
}

#[test]
fn long_ways_to_a_list_end_soon() {
    let names: String = (0..2_000)
        .map(|n| format!("a{n} = [*a{}, *a{}]\n", n + 1, n + 1))
        .collect();
    assert_eq!(
        longest(&format!("{names}s3.delete_objects(Delete=a0)")),
        None
    );
    assert_eq!(longest("a = a[1:]\ns3.delete_objects(Delete=a)"), None);
}

/// A name that only begins like the one that is meant is another thing.
#[tokio::test]
async fn a_whole_name_takes_no_longer_one_along() {
    let name = "whole names";
    let delete = |listing: &str, prefix: &str, condition: &str| {
        format!(
            "for page in s3.get_paginator(\"{listing}\").paginate(Bucket=\"zoology-bucket\", Prefix=\"{prefix}\"):\n\
             \x20   for obj in page.get(\"Contents\", []) + page.get(\"Versions\", []):\n\
             \x20       if {condition}:\n\
             \x20           s3.delete_object(Bucket=\"zoology-bucket\", Key=obj[\"Key\"])"
        )
    };
    // The dialogue has made a neighbour before.
    let made = "Key=\"river/otter.txt\", IfNoneMatch";
    let beside = "Key=\"sea_animals/otter.txt.bak\", IfNoneMatch";
    let expected = expect![
        "train/good.xml, turn 5, goal 3: lists what begins with \"sea_animals/otter.txt\", the name of one that it deletes, and deletes zoology-bucket/sea_animals/otter.txt.bak as well; compare whole names"
    ];
    let otter = "sea_animals/otter.txt";
    for (program, expected) in [
        (delete("list_objects_v2", otter, "True"), expected),
        (
            delete(
                "list_objects_v2",
                otter,
                "obj[\"Key\"] == \"sea_animals/otter.txt\"",
            ),
            expect![[""]],
        ),
        // These mean all that begins so.
        (
            delete("list_objects", "sea_animals/o", "True"),
            expect![[""]],
        ),
        (
            delete("list_objects", "sea_animals/", "True"),
            expect![[""]],
        ),
    ] {
        let text = GOOD
            .replacen(made, beside, 1)
            .replacen(DELETION, &program, 1);
        check_text(name, &text, expected).await;
    }
}
