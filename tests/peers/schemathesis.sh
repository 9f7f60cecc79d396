#!/usr/bin/env bash
# Sends a running server requests made from its OpenAPI document, and compares what it answers with the document: no 500, no
# status or content that is not described. Schemathesis is installed, pinned, in a temporary folder.
#
#   tests/peers/schemathesis.sh [PROGRAM]      (some minutes)
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(realpath "${1:-${CARGO_TARGET_DIR:-target}/debug/tilelens}")
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet schemathesis==4.32.5

"$program" table new "$folder/evening.tlg" --rules riichi --players Ann,Bo,Cy,Di
XDG_STATE_HOME=$folder XDG_DATA_HOME=$folder "$program" serve --port 0 --ledger "$folder/evening.tlg" >"$folder/out" &
server=$!
until grep -q 'ends it\.' "$folder/out"; do
  kill -0 "$server"
  sleep 0.1
done
address=$(grep -o 'http://[^ ]*control' "$folder/out" | head -1)
"$program" schema api >"$folder/api.json"
# It keeps what it tried where it runs. The moving picture does not end, and sockets are no requests.
cd "$folder"
"$folder/python/bin/schemathesis" run "$folder/api.json" --url "${address%/control}" --max-examples 40 --seed 1 \
  --exclude-path-regex 'socket|mjpeg' --request-timeout 20 --continue-on-failure --exclude-checks positive_data_acceptance,missing_required_header
