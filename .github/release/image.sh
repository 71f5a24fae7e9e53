#!/usr/bin/env bash
# Builds the container image for this machine's processor, tries it, and packs it:
#     image.sh FOLDER
# `docker load` and `podman load` take the file. Needs docker, and in target/distribution the texts of
# texts.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

folder="$1" version="$(python3 .github/release/project.py version)"
image="dialog2api:$version"
docker build --file Containerfile --tag "$image" .
echo 'return 6 * 7' | docker run --rm --interactive "$image" -q run --world empty - | grep -qx 42
mkdir -p "$folder"
docker save "$image" | gzip -9 >"$folder/dialog2api-$version-image-$(uname -m).tar.gz"
