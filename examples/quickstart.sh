#!/bin/sh
# Deploys a document, renders it with a payload and downloads the PDF, with only a POSIX shell and curl.
# It needs a running service (npm start). It writes only the PDF.
#
#   set -a; . .data/dev.env; set +a
#   sh examples/quickstart.sh [folder of the example] [file.pdf]
set -eu

: "${DRS_BASE_URL:?is not set: run \`npm start\`, then \`set -a; . .data/dev.env; set +a\`}"
: "${DRS_API_KEY:?is not set: run \`npm start\`, then \`set -a; . .data/dev.env; set +a\`}"
example=${1:-$(dirname "$0")/invoice}
pdf=${2:-invoice.pdf}
document=$example/document
max_wait_seconds=120

fail() {
  echo "quickstart: $*" >&2
  exit 1
}

[ -d "$document" ] && [ -f "$example/render.json" ] && [ -f "$example/payload.json" ] ||
  fail "$example is not the folder of an example: it needs document/, render.json and payload.json"

newline='
'
tab=$(printf '\t')

# Calls the API: api METHOD PATH [options of curl]. Prints the answer. An answer that is an error ends the script.
api() {
  method=$1 path=$2
  shift 2
  answer=$(curl -sS -X "$method" -H "Authorization: Bearer $DRS_API_KEY" -w '\n%{http_code}' "$@" "$DRS_BASE_URL$path") ||
    fail "$DRS_BASE_URL cannot be reached: is \`npm start\` running?"
  case ${answer##*"$newline"} in
    2*) printf '%s\n' "${answer%"$newline"*}" ;;
    *) fail "$method $path answered $answer" ;;
  esac
}

# Calls the API with a JSON body from standard input. There it may be longer than an argument of curl.
api_json() {
  api "$@" -H 'Content-Type: application/json' --data-binary @-
}

# Prints the first text with this name in the JSON on standard input: value NAME. That is enough for ids, states and links.
value() {
  tr '{,}' '\n\n\n' | sed -n "s/^\"$1\":\"\([^\"]*\)\"$/\1/p" | head -n 1
}

# Prints the SHA-256 of a file. Linux has sha256sum, macOS has shasum.
sha256_of() {
  if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -c1-64
}

# Prints a line for each file of the document: its path, SHA-256 and size.
list_files() {
  (cd "$document" && find . -type f | cut -c3- | sort) | while IFS= read -r path; do
    printf '%s\t%s\t%d\n' "$path" "$(sha256_of "$document/$path")" "$(wc -c <"$document/$path")"
  done
}

# Prints the files as JSON objects with commas between them: files_as_json NAME_OF_THE_HASH
files_as_json() {
  printf '%s\n' "$files" | while IFS="$tab" read -r path hash size; do
    printf '%s{"path":"%s","%s":"%s","size":%s}' "${comma-}" "$path" "$1" "$hash" "$size"
    comma=,
  done
}

files=$(list_files)

# 1. Create an upload session. It names the deploy and lists the files. Each run creates a deploy of its own.
slug=quickstart-$(date +%s)-$$
session=$(printf '{"createDeploy":{"slug":"%s","name":"Quickstart"},"files":[%s]}' "$slug" "$(files_as_json sha256)" |
  api_json POST /upload-sessions)
session_id=$(echo "$session" | value id)
upload_token=$(echo "$session" | value uploadToken)

# 2. Upload each file.
printf '%s\n' "$files" | while IFS="$tab" read -r path hash _; do
  api PUT "/upload-sessions/$session_id/blobs/$hash" -H "X-Upload-Token: $upload_token" \
    -H 'Content-Type: application/octet-stream' --data-binary "@$document/$path" >/dev/null
done

# 3. Commit the files as version 1. The slug and the name in render.json are not a part of a commit.
render=$(sed -E '/"(slug|name)":/d' "$example/render.json")
version=$(printf '{"entries":[%s],"render":%s}' "$(files_as_json blobHash)" "$render" |
  api_json POST "/upload-sessions/$session_id/commit" -H "X-Upload-Token: $upload_token")
deploy_id=$(echo "$version" | value deployId)

# 4. Create a render job and wait for its end.
job=$({ printf '{"deployId":"%s","payload":' "$deploy_id" && cat "$example/payload.json" && printf '}'; } |
  api_json POST /render-jobs)
job_id=$(echo "$job" | value id)
waited=0
while :; do
  job=$(api GET "/render-jobs/$job_id")
  case $(echo "$job" | value status) in
    succeeded) break ;;
    failed | canceled) fail "the job has ended without a PDF: $job" ;;
  esac
  [ "$waited" -lt "$max_wait_seconds" ] || fail "the job has not ended after $max_wait_seconds seconds: $job"
  sleep 1
  waited=$((waited + 1))
done

# 5. Download the PDF by a signed link.
link=$(api POST "/render-jobs/$job_id/output-download" | value url)
curl -sSf -o "$pdf" "$link" || fail "the signed link does not work: $link"
echo "$pdf"
