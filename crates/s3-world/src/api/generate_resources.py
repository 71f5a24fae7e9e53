"""Writes the table of boto3's resources for S3 from what boto3 ships about them.

    pip install boto3 && python generate_resources.py

The source is `resources-1.json` of boto3 (Apache-2.0). boto3's own model of it is read, so
that renamed attributes have the names that programs see.
"""

import json
from pathlib import Path

import boto3
import botocore.session
from boto3.resources.model import ResourceModel
from boto3.resources.response import build_empty_response
from botocore import xform_name

from operations import ALIASES

# What boto3 adds to the types, and the operation that each calls.
TRANSFERS = {
    "Bucket": ("upload_file", "download_file"),
    "Object": ("upload_file", "download_file"),
}
# The operations of the waiters.
WAITERS = {"bucket": "head_bucket", "object": "head_object"}


def sources(parameters):
    """(target, source, name, path or value) of parameters and of identifiers."""
    for each in parameters:
        what = {
            "identifier": each.name and xform_name(each.name),
            "data": each.path,
            "response": each.path,
            "requestParameter": each.path,
        }.get(each.source, getattr(each, "value", None))
        yield each.target, each.source, what


def resource(each, operation, service):
    """(type, identifiers, path, answer for no resources), or None."""
    if each is None:
        return None
    empty = None
    if operation is not None:
        try:
            empty = build_empty_response(each.path, operation, service)
        except KeyError:
            # The path is more than names. Its result is always a list.
            pass
    identifiers = [(xform_name(target), *rest) for target, *rest in sources(each.identifiers)]
    return each.type, identifiers, each.path, empty


def action(each, service):
    """(operation, parameters, resource, path)."""
    request = each.request
    made = resource(each.resource, request.operation, service)
    return xform_name(request.operation), list(sources(request.params)), made, each.path


def described(name, definition, definitions, service):
    model = ResourceModel(name, definition, definitions)
    shape = service.shape_for(model.shape) if model.shape else None
    model.load_rename_map(shape)
    aliases = {each.member_name for each in model.identifiers if each.member_name}
    attributes = model.get_attributes(shape) if shape else {}
    return {
        "identifiers": [(each.name, each.member_name) for each in model.identifiers],
        "attributes": [(snake, name) for snake, (name, _) in attributes.items() if snake not in aliases],
        "load": action(model.load, service) if model.load else None,
        "actions": {each.name: action(each, service) for each in model.actions},
        "subresources": {
            each.name: (each.resource.type, resource(each.resource, None, service)[1])
            for each in model.subresources
        },
        "references": {each.name: resource(each.resource, None, service) for each in model.references},
        "waiters": {
            each.name: (xform_name(each.waiter_name), list(sources(each.params))) for each in model.waiters
        },
        "collections": {
            each.name: (
                xform_name(each.request.operation),
                list(sources(each.request.params)),
                resource(each.resource, each.request.operation, service),
                {batch.name: action(batch, service) for batch in each.batch_actions},
            )
            for each in model.collections
        },
    }


def kinds(name, found):
    """The type and its collections, with what each member calls and gives."""

    def member(name, operations, gives=None, is_read=False):
        row = {"name": name, "operations": [ALIASES.get(each, each) for each in operations]}
        row |= {"gives": gives} if gives else {}
        return row | ({"is_read": True} if is_read else {})

    members = [member(each, [each]) for each in TRANSFERS.get(name, ())]
    if found["load"]:
        operation = found["load"][0]
        members += [member(each, [operation]) for each in ("load", "reload")]
        members += [member(each, [operation], is_read=True) for each, _ in found["attributes"]]
    for each, (operation, _, made, _) in found["actions"].items():
        members.append(member(each, [operation], made and made[0]))
    for each, (kind, _) in found["subresources"].items():
        members.append(member(each, [], kind))
    for each, made in found["references"].items():
        members.append(member(each, [], made[0], is_read=True))
    for each, (waiter, _) in found["waiters"].items():
        members.append(member(each, [WAITERS[waiter.split("_")[0]]]))
    for each in found["collections"]:
        members.append(member(each, [], f"{name}.{each}", is_read=True))
    yield {"name": name, "members": members}
    for each, (operation, _, made, batches) in found["collections"].items():
        own = f"{name}.{each}"
        ways = ("all", "filter", "limit", "page_size", "pages")
        members = [member(way, [operation], own) for way in ways]
        members += [member(batch, [operation, call[0]]) for batch, call in batches.items()]
        yield {"name": own, "each": made[0], "members": members}


def main():
    service = botocore.session.get_session().get_service_model("s3")
    data = Path(boto3.__file__).parent / "data" / "s3" / service.api_version / "resources-1.json"
    data = json.loads(data.read_text())
    definitions = data["resources"]
    lines = [
        f"# Generated by api/generate_resources.py from boto3 {boto3.__version__}: do not edit.",
        "#",
        "# What each type of resource has. Parameters are (target, source, what), actions are",
        "# (operation, parameters, resource, path), and resources are (type, identifiers, path,",
        "# answer for no resources).",
        "_RESOURCES = {",
    ]
    rows = []
    for name, definition in [("ServiceResource", data["service"]), *definitions.items()]:
        found = described(name, definition, definitions, service)
        rows += kinds(name, found)
        lines.append(f"    {name!r}: {{")
        lines += (f"        {key!r}: {value!r}," for key, value in found.items() if value)
        lines.append("    },")
    lines.append("}")
    target = Path(__file__).parent.parent / "client" / "resources_table.py"
    target.write_text("\n".join(lines) + "\n")
    rows = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    (Path(__file__).parent / "resources.json").write_text(f"[\n{rows}\n]\n")


main()
