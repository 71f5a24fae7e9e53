"""Writes s3.json, the table of S3's API, from botocore's service model.

    pip install boto3 && python generate_table.py [FILE]

botocore's model is licensed under the Apache License 2.0, and so is the table
(LICENSE-APACHE). `mod.rs` describes the fields. operations.py says which operations the
table has, in this order of effects.
"""

import json
import re
import sys
from pathlib import Path

import botocore
import botocore.session

import operations

# The root elements of answers whose fields are elements of one document, from the API
# reference. The model of botocore has them only for answers with a payload.
ROOTS = {
    "complete_multipart_upload": "CompleteMultipartUploadResult",
    "create_multipart_upload": "InitiateMultipartUploadResult",
    "delete_objects": "DeleteResult",
    "get_bucket_accelerate_configuration": "AccelerateConfiguration",
    "get_bucket_acl": "AccessControlPolicy",
    "get_bucket_cors": "CORSConfiguration",
    "get_bucket_lifecycle_configuration": "LifecycleConfiguration",
    "get_bucket_location": "LocationConstraint",
    "get_bucket_logging": "BucketLoggingStatus",
    "get_bucket_notification_configuration": "NotificationConfiguration",
    "get_bucket_request_payment": "RequestPaymentConfiguration",
    "get_bucket_tagging": "Tagging",
    "get_bucket_versioning": "VersioningConfiguration",
    "get_bucket_website": "WebsiteConfiguration",
    "get_object_acl": "AccessControlPolicy",
    "get_object_attributes": "GetObjectAttributesResponse",
    "get_object_tagging": "Tagging",
    "list_bucket_analytics_configurations": "ListBucketAnalyticsConfigurationResult",
    "list_bucket_intelligent_tiering_configurations": (
        "ListBucketIntelligentTieringConfigurationsOutput"
    ),
    "list_bucket_inventory_configurations": "ListInventoryConfigurationsResult",
    "list_bucket_metrics_configurations": "ListMetricsConfigurationsResult",
    "list_buckets": "ListAllMyBucketsResult",
    "list_multipart_uploads": "ListMultipartUploadsResult",
    "list_object_versions": "ListVersionsResult",
    "list_objects": "ListBucketResult",
    "list_objects_v2": "ListBucketResult",
    "list_parts": "ListPartsResult",
}


# How times are written where the model does not say (botocore's serialize.py).
TIMES = {"header": "rfc822", "querystring": "iso8601", None: "iso8601"}

PLACES = {"uri": "path", "querystring": "query", "header": "header", "headers": "prefix"}

# Scalars without an enumeration have no shape of their own in the table.
SCALARS = {
    "string": "text",
    "integer": "int",
    "long": "int",
    "boolean": "bool",
    "timestamp": "time",
    "blob": "bytes",
}


class Table:
    """The shapes met so far, each after the shapes of its members."""

    def __init__(self):
        self.shapes = {}

    def shape(self, shape):
        """The name of a shape in the table."""
        kind = shape.type_name
        if kind in SCALARS and not getattr(shape, "enum", None):
            return SCALARS[kind]
        if shape.name in self.shapes:
            return shape.name
        if kind == "structure":
            row = {"name": shape.name, "kind": "structure"}
            required = shape.metadata.get("required")
            if required:
                row["required"] = required
            payload = shape.serialization.get("payload")
            row["members"] = [
                self.member(name, member, name == payload)
                for name, member in shape.members.items()
            ]
        elif kind == "list":
            item = self.member("member", shape.member, False)
            del item["name"]
            row = {"name": shape.name, "kind": "list", "item": item}
        elif kind == "map":
            assert shape.key.type_name == shape.value.type_name == "string", shape
            row = {"name": shape.name, "kind": "map"}
        else:
            assert kind == "string", shape
            row = {"name": shape.name, "kind": "choice", "choices": shape.enum}
        self.shapes[shape.name] = row
        return shape.name

    def member(self, name, shape, is_payload):
        rules = shape.serialization
        row = {"name": name, "shape": self.shape(shape)}
        place = rules.get("location")
        if is_payload:
            row["at"] = "payload"
        elif place:
            row["at"] = PLACES[place]
        spelled = rules.get("name", name)
        if place in ("header", "headers"):
            spelled = spelled.lower()
        if spelled != name:
            row["wire"] = spelled
        if rules.get("flattened"):
            row["flattened"] = True
        if rules.get("xmlAttribute"):
            row["attribute"] = True
        namespace = rules.get("xmlNamespace")
        if namespace:
            row["namespace"] = namespace["uri"]
            if namespace.get("prefix"):
                row["prefix"] = namespace["prefix"]
        if shape.type_name == "timestamp":
            row["format"] = rules.get("timestampFormat", TIMES[place])
        if "min" in shape.metadata:
            row["min"] = shape.metadata["min"]
        return row


def operation(table, method, model, pages):
    path, _, query = model.http["requestUri"].partition("?")
    row = {
        "name": method,
        "api_name": model.name,
        "effect": operations.EFFECTS[method],
        "method": model.http["method"],
        "path": path,
    }
    assert path == "/" or re.fullmatch(r"/\{Bucket\}(/\{Key\+\})?", path), path
    if query:
        name, _, value = query.partition("=")
        row["query"] = [name, value]
    status = operations.STATUSES.get(method, model.http.get("responseCode"))
    if status:
        row["status"] = status
    row["input"] = table.shape(model.input_shape)
    if model.output_shape:
        row["output"] = table.shape(model.output_shape)
    if method in ROOTS:
        row["root"] = ROOTS[method]
    errors = [str(error.name) for error in model.error_shapes]
    if errors:
        row["errors"] = errors
    checksum = model.http_checksum
    if "requestAlgorithmMember" in checksum:
        row["checksum"] = "required" if checksum["requestChecksumRequired"] else "optional"
    page = pages.get(model.name)
    if page:
        page = {
            "input": page["input_token"],
            "output": page["output_token"],
            "more": page.get("more_results"),
            "size": page.get("limit_key"),
            "results": page["result_key"],
        }
        listed = ("input", "output", "results")
        row["pages"] = {
            key: [value] if key in listed and isinstance(value, str) else value
            for key, value in page.items()
            if value is not None
        }
    return row


def main():
    session = botocore.session.get_session()
    model = session.get_service_model("s3")
    loader = session.get_component("data_loader")
    pages = loader.load_service_model("s3", "paginators-1")["pagination"]
    names = {botocore.xform_name(name): name for name in model.operation_names}
    table = Table()
    rows = [
        operation(table, method, model.operation_model(names[method]), pages)
        for method in operations.EFFECTS
    ]
    dump = lambda row: json.dumps(row, separators=(",", ":"), ensure_ascii=False)
    listed = lambda rows: ",\n".join(map(dump, rows))
    text = (
        '{"source":"botocore ' + botocore.__version__ + ', Apache License 2.0",\n'
        '"shapes":[\n' + listed(table.shapes.values()) + "\n],\n"
        '"operations":[\n' + listed(rows) + "\n]}\n"
    )
    path = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent / "s3.json"
    Path(path).write_text(text, encoding="utf-8")


main()
