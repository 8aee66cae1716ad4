import { apiBaseUrl } from '../../base-url.ts';

/** What is typed to get from nothing to a PDF: plain shell and curl, in one terminal, one after another. */

/** `key` is the API key, or what stands for it. */
export const environmentCommand = (key: string): string =>
  `export DRS_BASE_URL='${apiBaseUrl}' DRS_API_KEY='${key}'`;

export const listCommand = `curl -sS "$DRS_BASE_URL/deploys" -H "Authorization: Bearer $DRS_API_KEY"`;

export const deployCommands = `api() { curl -sS -H "Authorization: Bearer $DRS_API_KEY" -H "Content-Type: \${type:-application/json}" "$@"; }
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
  "createDeploy": {"slug": "hello", "name": "Hello"},
  "files": [{"path": "hello.html", "sha256": "'$hash'", "size": '$size'}]}')
id=$(echo "$session" | value id)
token=$(echo "$session" | value uploadToken)

type=application/octet-stream api -X PUT --data-binary @hello.html \\
  "$DRS_BASE_URL/upload-sessions/$id/blobs/$hash" -H "X-Upload-Token: $token"
version=$(api "$DRS_BASE_URL/upload-sessions/$id/commit" -H "X-Upload-Token: $token" -d '{
  "entries": [{"path": "hello.html", "blobHash": "'$hash'", "size": '$size'}],
  "render": {"route": "hello.html", "title": "Hello"}}')
deploy=$(echo "$version" | value deployId)`;

/** Of the document that there is, else of the one that the commands before have made. */
export const renderCommand = (deployId = "'$deploy'"): string =>
  `job=$(api "$DRS_BASE_URL/render-jobs" -d '{
  "deployId": "${deployId}", "payload": {"name": "Ada"}}' | value id)`;

export const fetchCommands = `until api "$DRS_BASE_URL/render-jobs/$job" | grep -Eq '"status":"(succeeded|failed)"'; do sleep 1; done
curl -sS -o hello.pdf "$(api -X POST "$DRS_BASE_URL/render-jobs/$job/output-download" | value url)"`;
