/** Shell commands that the dashboard offers for copying. They need only a POSIX shell with its usual tools, curl and openssl. */

/** The address of the REST API, as this browser reaches it. */
const apiBaseUrl = `${window.location.origin}/v1`;

/** Quotes text for the shell: in single quotes, with each single quote inside written as `'\''`. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A command that calls the REST API by curl. It expects `DRS_API_KEY` to be set. `path` is below `/v1`. */
export function curlCommand(method: 'GET' | 'POST', path: string, body?: unknown): string {
  const lines = [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} ${apiBaseUrl}${path}`,
    '-H "Authorization: Bearer $DRS_API_KEY"',
  ];
  if (body !== undefined)
    lines.push("-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}

/**
 * Commands that commit a page of one file as the first version of a document. They expect `DRS_BASE_URL` and `DRS_API_KEY` to be
 * set. `target` is an existing document, or one to create. Afterwards the id of the document is in `$deploy`, and the functions
 * `api` and `value` are defined.
 */
const commitCommands = (
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

/** Commands that commit the first version of an existing document. They expect only `DRS_API_KEY` to be set. */
export const firstVersionCommands = (deployId: string): string =>
  `export DRS_BASE_URL='${apiBaseUrl}'
${commitCommands({ deployId })}
echo "$version"`;

/**
 * Sets the address of the API and the key: `key` is an API key or a placeholder. In one terminal, this command, `deployCommands`,
 * `renderCommand` and `fetchPdfCommands` lead from an empty workspace to a PDF.
 */
export const environmentCommand = (key: string): string =>
  `export DRS_BASE_URL='${apiBaseUrl}' DRS_API_KEY='${key}'`;

export const listDocumentsCommand = `curl -sS "$DRS_BASE_URL/deploys" -H "Authorization: Bearer $DRS_API_KEY"`;

export const deployCommands = commitCommands({ createDeploy: { slug: 'hello', name: 'Hello' } });

/** Renders the document with this id, or the one that `deployCommands` has just created. */
export const renderCommand = (deployId = "'$deploy'"): string =>
  `job=$(api "$DRS_BASE_URL/render-jobs" -d '{
  "deployId": "${deployId}", "payload": {"name": "Ada"}}' | value id)`;

/** Wait until the job of `renderCommand` has ended, then download its PDF. */
export const fetchPdfCommands = `until api "$DRS_BASE_URL/render-jobs/$job" | grep -Eq '"status":"(succeeded|failed|canceled)"'; do sleep 1; done
curl -sS -o hello.pdf "$(api -X POST "$DRS_BASE_URL/render-jobs/$job/output-download" | value url)"`;
