#!/usr/bin/env bash
# Builds the wheel for one target, and packs the program of that build as archive and bundle:
#     build.sh TARGET FOLDER
# Needs maturin, for Linux also zig (`pip install maturin ziglang`), and in target/distribution the
# texts of licences.py and parts.py. PROGRAM names a program that is built already: no wheel then.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

target="$1" folder="$2"
texts=(target/distribution/LICENSES-THIRD-PARTY.txt "target/distribution/$target/dialog2api.cdx.json")
for text in "${texts[@]}"; do
    [ -s "$text" ] || {
        echo "$text is missing: licences.py and parts.py make it" >&2
        exit 1
    }
done
# Each libc has a wheel and an archive of its own. The first macOS for both processors is 11.
case "$target" in
    *-linux-gnu) platform=(--zig --compatibility manylinux_2_28) ;;
    *-linux-musl) platform=(--zig --compatibility musllinux_1_2) ;;
    *-apple-darwin) platform=(--compatibility pypi) ;;
    *)
        echo "no release is made for $target" >&2
        exit 2
        ;;
esac
export MACOSX_DEPLOYMENT_TARGET=11.0 DIALOG2API_GUEST=packed

mkdir -p "$folder"
program="${PROGRAM:-}"
if [ -z "$program" ]; then
    maturin build --release --locked --target "$target" "${platform[@]}" \
        --sbom-include "${texts[1]}" --out "$folder"
    program="${CARGO_TARGET_DIR:-target}/$target/release/dialog2api"
fi
python3 .github/release/archive.py program "$target" "$program" "$folder" "${texts[@]}"
# Desktops with the other libc have no client that takes bundles.
case "$target" in
    *-linux-musl) ;;
    *) python3 .github/release/agents.py bundle "$target" "$program" "$folder" "${texts[@]}" ;;
esac
