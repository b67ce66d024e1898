#!/bin/sh
# Gates a change of a pipeline against a version of this set: exit 0 pass, 1 fail, 2 undecided.
#   ci/gate.sh golden/v4 outputs.jsonl
# outputs.jsonl has one line a case: what the changed pipeline retrieved and answered.
set -eu
version=$1
outputs=$2
curation eval run --version "$version" --run "$outputs" --out candidate.json
curation eval gate --profile ci candidate.json
