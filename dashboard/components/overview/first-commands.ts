/** What is typed to get from nothing to a PDF: plain shell and curl, in one terminal, one after another. */

const call = `api() { curl -sS -H "Authorization: Bearer $DRS_API_KEY" -H 'Content-Type: application/json' "$@"; }
value() { sed -E "s/.*\\"$1\\":\\"([^\\"]*)\\".*/\\1/"; }`;

export const deployCommands = (baseUrl: string): string => `${call}
cat > hello.html <<'END'
<!doctype html><title>Hello</title><h1></h1>
<script type="module">
  const { name } = await (await fetch('/__payload')).json();
  document.querySelector('h1').textContent = \`Hello, \${name}\`;
</script>
END
hash=$(openssl dgst -sha256 -r hello.html | cut -c1-64); size=$(($(wc -c < hello.html)))
session=$(api ${baseUrl}/upload-sessions -d '{"createDeploy":{"slug":"hello","name":"Hello"},"files":[{"path":"hello.html","sha256":"'$hash'","size":'$size'}]}')
id=$(echo "$session" | value id); token=$(echo "$session" | value uploadToken)
curl -sS -X PUT ${baseUrl}/upload-sessions/$id/blobs/$hash -H "Authorization: Bearer $DRS_API_KEY" -H "X-Upload-Token: $token" -H 'Content-Type: application/octet-stream' --data-binary @hello.html
version=$(api ${baseUrl}/upload-sessions/$id/commit -H "X-Upload-Token: $token" -d '{"entries":[{"path":"hello.html","blobHash":"'$hash'","size":'$size'}],"render":{"route":"hello.html","title":"Hello"}}')
deploy=$(echo "$version" | value deployId); echo "$version"`;

/** Of the document that there is, else of the one that the commands before have made. */
export const renderCommands = (baseUrl: string, deployId = "'$deploy'"): string =>
  `job=$(api ${baseUrl}/render-jobs -d '{"deployId":"${deployId}","payload":{"name":"Ada"}}' | value id); echo "$job"`;

export const fetchCommands = (baseUrl: string): string =>
  `until api ${baseUrl}/render-jobs/$job | grep -Eq '"status":"(succeeded|failed)"'; do sleep 1; done
curl -sS -o hello.pdf "$(api -X POST ${baseUrl}/render-jobs/$job/output-download | value url)"`;
