#!/usr/bin/env bash
# Packs the crates, and builds each from its archive alone, as whoever installs it does:
#     crates.sh FOLDER
# Needs target/distribution/LICENSES-THIRD-PARTY.txt, which licences.py makes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

folder="$1" limit=$((10 * 1024 * 1024))
cp target/distribution/LICENSES-THIRD-PARTY.txt crates/dialog2api-guest/
# The licences are not committed.
cargo package --workspace --exclude dialog2api-fuzz --locked --allow-dirty
mkdir -p "$folder"
for crate in "${CARGO_TARGET_DIR:-target}"/package/*.crate; do
    size="$(wc -c <"$crate")"
    [ "$size" -le "$limit" ] || {
        echo "$crate has $size bytes, and crates.io takes $limit" >&2
        exit 1
    }
    cp "$crate" "$folder/"
done
