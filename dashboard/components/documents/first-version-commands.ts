import { apiBaseUrl } from '../../base-url.ts';

/**
 * What is typed to commit a page of one file as the first version of a document: plain shell and curl, with `DRS_BASE_URL` and
 * `DRS_API_KEY` set. `target` is the document or the one to make; its id is in `$deploy` afterwards.
 */
export const commitCommands = (
  target: { deployId: string } | { createDeploy: { slug: string; name: string } },
): string => `api() { curl -sS -H "Authorization: Bearer $DRS_API_KEY" -H "Content-Type: \${type:-application/json}" "$@"; }
value() { sed -E 's/.*"'$1'":"([^"]*)".*/\\1/'; }

cat > hello.html <<'END'
<!doctype html><title>Hello</title><h1></h1>
<script type="module">
  const { name } = await (await fetch('/__payload')).json();
  document.querySelector('h1').textContent = 'Hello, ' + name;
</script>
END
hash=$(openssl dgst -sha256 -r hello.html | cut -c1-64)
size=$(($(wc -c < hello.html)))

session=$(api "$DRS_BASE_URL/upload-sessions" -d '{
  ${JSON.stringify(target).slice(1, -1)},
  "files": [{"path": "hello.html", "sha256": "'$hash'", "size": '$size'}]}')
id=$(echo "$session" | value id)
token=$(echo "$session" | value uploadToken)

type=application/octet-stream api -X PUT --data-binary @hello.html \\
  "$DRS_BASE_URL/upload-sessions/$id/blobs/$hash" -H "X-Upload-Token: $token"
version=$(api "$DRS_BASE_URL/upload-sessions/$id/commit" -H "X-Upload-Token: $token" -d '{
  "entries": [{"path": "hello.html", "blobHash": "'$hash'", "size": '$size'}],
  "render": {"route": "hello.html", "title": "Hello"}}')
deploy=$(echo "$version" | value deployId)`;

/** Of a document that has none yet; only `DRS_API_KEY` needs to be set. */
export const firstVersionCommands = (deployId: string): string =>
  `export DRS_BASE_URL='${apiBaseUrl}'
${commitCommands({ deployId })}
echo "$version"`;
