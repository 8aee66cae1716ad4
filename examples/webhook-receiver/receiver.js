// Receives the webhooks of the service: verifies each request, handles each event once, downloads the PDF.
//
//   WEBHOOK_SECRET=whsec_… PORT=8080 node receiver.js
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

const { WEBHOOK_SECRET, PORT = '8080' } = process.env;
const webhook = new Webhook(WEBHOOK_SECRET ?? '');

/**
 * The `webhook-id` of each event that was handled. The same event may arrive twice, because our answer can get lost. In production,
 * store the id in a unique column, in the transaction that does the work.
 */
const handled = new Set();

async function handle({ data: { job, access }, test }) {
  if (test) return 'a test';
  if (!access) return `${job.id} ${job.status}`;
  const pdf = await fetch(access.download.url);
  if (!pdf.ok) throw new Error(`The PDF of ${job.id} answered ${pdf.status}.`);
  return `${job.id} ${job.status}, ${(await pdf.arrayBuffer()).byteLength} bytes`;
}

const server = createServer(async (request, response) => {
  const body = await buffer(request);
  try {
    // Verify the bytes as they arrived: JSON that was parsed and written again has another signature.
    const event = webhook.verify(body, request.headers);
    const id = request.headers['webhook-id'];
    if (handled.has(id)) console.log(`again ${id}`);
    else {
      console.log(`${id} ${await handle(event)}`);
      handled.add(id);
    }
    response.writeHead(204).end();
  } catch (error) {
    // 400: the request is not from the service. 500: the service sends the event again later.
    const status = error instanceof WebhookVerificationError ? 400 : 500;
    console.error(`${status} ${error.message}`);
    response.writeHead(status).end();
  }
});

server.listen(Number(PORT), '127.0.0.1', () => console.log(`listens on ${PORT}`));
