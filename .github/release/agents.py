#!/usr/bin/env python3
"""How agents install the server: plugins, bundles, and the entry for the MCP registry.

    agents.py plugins                          write the manifests under plugins/ and .claude-plugin/
    agents.py bundle TARGET PROGRAM FOLDER     write FOLDER/dialog2api-VERSION-TARGET.mcpb
    agents.py server REPOSITORY FOLDER         write FOLDER/server.json for the bundles there

REPOSITORY is the address of the project, such as https://github.com/OWNER/dialog2api. Names, version
and texts come from Cargo.toml, the tools from the table in src/documentation/mcp_server.md.
"""

import json
import pathlib
import re
import sys
import urllib.parse
import zipfile

from project import LICENCES, NAME, PACKAGE, ROOT, TARGETS, VERSION, sha256

DESCRIPTION = "Python programs in a sandbox on S3 and other APIs: a person agrees to each plan; undo"
AUTHOR = {"name": f"The {NAME} developers"}
SAMPLE = "zoology"
WORLD = {
    "type": "string",
    "title": "World",
    "description": f"What programs act on: a sample such as {SAMPLE}, a folder, or s3 for the account "
    "of your AWS configuration",
    "default": SAMPLE,
}
SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"


def server(command: str, world: str) -> dict:
    return {"command": command, "args": ["mcp", "--world", world]}


def about() -> dict:
    return {
        "name": NAME,
        "version": VERSION,
        "description": DESCRIPTION,
        "author": AUTHOR,
        "license": PACKAGE["license"],
        "keywords": PACKAGE["keywords"],
    }


def plugins() -> dict[str, dict]:
    """The manifests that lie in the repository. Codex reads the marketplace of Claude Code, too."""
    source = f"./plugins/{NAME}"
    entry = {"name": NAME, "source": source, "description": DESCRIPTION, "version": VERSION}
    return {
        ".claude-plugin/marketplace.json": {
            "name": NAME,
            "owner": AUTHOR,
            "metadata": {"description": PACKAGE["description"]},
            "plugins": [entry],
        },
        f"plugins/{NAME}/.claude-plugin/plugin.json": about()
        | {
            "userConfig": {"world": WORLD},
            "mcpServers": {NAME: server(NAME, "${user_config.world}")},
        },
        # Codex asks for no settings.
        f"plugins/{NAME}/.codex-plugin/plugin.json": about()
        | {"skills": "./skills/", "mcpServers": {NAME: server(NAME, SAMPLE)}},
    }


def tools() -> list[dict]:
    page = (ROOT / "src/documentation/mcp_server.md").read_text("utf-8")
    table = page.split("## The tools", 1)[1].split("\n## ", 1)[0]
    found = []
    for names, text in re.findall(r"^\| (`.+`) \| (.+) \|$", table, re.MULTILINE):
        found += [{"name": name, "description": text} for name in re.findall(r"`(\w+)`", names)]
    return found


def bundle_manifest(target: str) -> dict:
    program = f"server/{NAME}"
    return about() | {
        "manifest_version": "0.3",
        "display_name": NAME,
        "long_description": PACKAGE["description"],
        "server": {
            "type": "binary",
            "entry_point": program,
            "mcp_config": server("${__dirname}/" + program, "${user_config.world}"),
        },
        "tools": tools(),
        "compatibility": {"platforms": [TARGETS[target]]},
        "user_config": {"world": WORLD | {"required": True}},
    }


def bundle(target: str, program: pathlib.Path, folder: pathlib.Path, texts: list[pathlib.Path]) -> pathlib.Path:
    """A bundle has the program, its manifest and the texts that whoever passes it on has to add."""
    place = folder / f"{NAME}-{VERSION}-{target}.mcpb"
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("manifest.json", written(bundle_manifest(target)))
        entry = zipfile.ZipInfo(f"server/{NAME}")
        entry.external_attr = 0o100755 << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        with program.open("rb") as source, archive.open(entry, "w") as sink:
            while block := source.read(1 << 20):
                sink.write(block)
        for text in [*(ROOT / name for name in LICENCES), *texts]:
            archive.write(text, text.name)
    return place


def registry(repository: str, folder: pathlib.Path) -> dict:
    """The registry takes bundles by their address and digest, and owners as GitHub spells them."""
    address = urllib.parse.urlsplit(repository)
    owner = address.path.strip("/").split("/")[0]
    place = f"{repository.rstrip('/')}/releases/download/v{VERSION}"
    bundles = sorted(folder.glob(f"{NAME}-{VERSION}-*.mcpb"))
    if not bundles:
        sys.exit(f"{folder} has no bundle of version {VERSION}; `agents.py bundle` makes one")
    packages = [
        {
            "registryType": "mcpb",
            "identifier": f"{place}/{file.name}",
            "version": VERSION,
            "fileSha256": sha256(file),
            "transport": {"type": "stdio"},
        }
        for file in bundles
    ]
    return {
        "$schema": SCHEMA,
        "name": f"io.github.{owner}/{NAME}",
        "title": NAME,
        "description": DESCRIPTION,
        "version": VERSION,
        "repository": {"url": repository, "source": "github"},
        "packages": packages,
    }


def written(value: dict) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> None:
    match arguments:
        case ["plugins"]:
            for name, manifest in plugins().items():
                file = ROOT / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(written(manifest), "utf-8")
        case ["bundle", target, program, folder, *texts] if target in TARGETS:
            files = [pathlib.Path(text) for text in texts]
            print(bundle(target, pathlib.Path(program), pathlib.Path(folder), files))
        case ["server", repository, folder]:
            file = pathlib.Path(folder) / "server.json"
            file.write_text(written(registry(repository, pathlib.Path(folder))), "utf-8")
            print(file)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
