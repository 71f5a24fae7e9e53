#!/usr/bin/env bash
# Whether what was built for this machine works as people get it: try.sh TARGET FOLDER
# The archive: a program in the sandbox, and the server for agents. The wheel: the Python package.
set -euo pipefail

target="$1" folder="$(cd "$2" && pwd)"
home="$(mktemp -d)"
trap 'rm -rf "$home"' EXIT
export DIALOG2API_CACHE_DIR="$home/cache" DIALOG2API_STATE_DIR="$home/state"
cd "$home"

tar -xf "$folder"/dialog2api-*-"$target".tar.xz
program="$(echo "$home"/dialog2api-*/dialog2api)"
for text in LICENSE LICENSES-THIRD-PARTY.txt dialog2api.cdx.json; do
    [ -s "$(dirname "$program")/$text" ]
done
"$program" --version
"$program" -q prepare
echo 'return len(s3.list_buckets()["Buckets"])' | "$program" -q run --world empty - | grep -qx 0
hello='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"try","version":"1"}}}'
echo "$hello" | "$program" mcp --world empty 2>/dev/null | grep -q '"serverInfo"'
echo "the archive works"

# pip takes no wheel of another libc.
case "$target" in *-linux-musl) exit ;; esac
wheel="$(find "$folder" -name '*.whl')"
if [ -n "$wheel" ]; then
    python3 -m venv "$home/venv"
    "$home/venv/bin/pip" install --quiet --disable-pip-version-check --no-index "$wheel"
    "$home/venv/bin/python" -c \
        'import dialog2api; print(dialog2api.Sandbox().run("return 6 * 7", "empty").value)' | grep -qx 42
    echo "the wheel works"
fi
