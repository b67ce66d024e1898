#!/bin/sh
# Gates a change of a pipeline against a version of this set: exit 0 pass, 1 fail, 2 undecided.
#   ci/gate.sh golden/v4 outputs.jsonl            outputs of the changed pipeline, one line a case
#   ci/gate.sh golden/v4 package.module:function  a Python callable that answers, run here
# The set is the repository that this file is in, or what GOLDEN names (a folder or a git address).
# The baseline is the one of the set, or the report or outputs that BASELINE names.
set -eu
version=$1
pipeline=$2
golden=${GOLDEN:-$(cd "$(dirname "$0")/.." && pwd)}
profile=${PROFILE:-ci}
case $pipeline in
  *:*) set -- --target "$pipeline" ;;
  *) set -- --run "$pipeline" ;;
esac
curation eval run --golden "$golden" --version "$version" "$@" --out candidate.json
status=0
curation eval gate --golden "$golden" --profile "$profile" candidate.json ${BASELINE:+"$BASELINE"} \
  --out gate.md || status=$?
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -f gate.md ]; then
  cat gate.md >> "$GITHUB_STEP_SUMMARY"
fi
exit "$status"
