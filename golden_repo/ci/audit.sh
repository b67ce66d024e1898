#!/bin/sh
# Checks a pull request or a push of this repository: exit 1 when a rule is broken.
# Needs the whole history: in GitHub Actions, `actions/checkout` with `fetch-depth: 0`.
set -eu
golden=${1:-.}
curation golden validate "$golden"
curation golden audit "$golden"
