/** What is typed to commit a page of one file as the first version of a document: plain shell and curl. */
export const firstVersionCommands = (
  baseUrl: string,
  deployId: string,
): string => `api() { curl -sS -H "Authorization: Bearer $DRS_API_KEY" -H 'Content-Type: application/json' "$@"; }
value() { sed -E "s/.*\\"$1\\":\\"([^\\"]*)\\".*/\\1/"; }
printf '%s' '<!doctype html><title>Hello</title><h1>Hello</h1>' > index.html
hash=$(openssl dgst -sha256 -r index.html | cut -c1-64); size=$(($(wc -c < index.html)))
session=$(api ${baseUrl}/upload-sessions -d '{"deployId":"${deployId}","files":[{"path":"index.html","sha256":"'$hash'","size":'$size'}]}')
id=$(echo "$session" | value id); token=$(echo "$session" | value uploadToken)
curl -sS -X PUT ${baseUrl}/upload-sessions/$id/blobs/$hash -H "Authorization: Bearer $DRS_API_KEY" -H "X-Upload-Token: $token" -H 'Content-Type: application/octet-stream' --data-binary @index.html
api ${baseUrl}/upload-sessions/$id/commit -H "X-Upload-Token: $token" -d '{"entries":[{"path":"index.html","blobHash":"'$hash'","size":'$size'}],"render":{"route":"index.html","title":"Hello"}}'`;
