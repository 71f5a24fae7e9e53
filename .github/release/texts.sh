#!/usr/bin/env bash
# What lies beside the program in each download: the licences, and the parts for each target.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

mkdir -p target/distribution
python3 .github/release/licences.py target/distribution/LICENSES-THIRD-PARTY.txt
for target in $(python3 .github/release/project.py targets); do
    mkdir -p "target/distribution/$target"
    python3 .github/release/parts.py "$target" "target/distribution/$target/dialog2api.cdx.json"
done
