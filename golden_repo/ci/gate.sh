#!/bin/sh
# Gates a change of a pipeline: exit 0 pass, 1 fail with reasons, 2 could not judge.
#   ci/gate.sh GOLDEN CANDIDATE BASELINE
# GOLDEN is a checkout of this repository at a version. CANDIDATE and BASELINE have one line a
# case: what the changed and what the current pipeline retrieved and answered.
set -eu
curation eval gate "$2" "$3" --golden "$1" --profile "${PROFILE:-ci}"
