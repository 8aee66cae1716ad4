// Receives the webhooks of the service: verifies each, takes each event once, fetches the PDF.
//
//   WEBHOOK_SECRET=whsec_… PORT=8080 node receiver.js
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

const { WEBHOOK_SECRET, PORT = '8080' } = process.env;
const webhook = new Webhook(WEBHOOK_SECRET ?? '');

/**
 * Events that were taken, by `webhook-id`: the same one may come twice, because an answer can get lost. In production this is
 * a unique column, written in the transaction that does the work.
 */
const taken = new Set();

async function take({ data: { job, access }, test }) {
  if (test) return 'a test';
  if (!access) return `${job.id} ${job.status}`;
  const pdf = await fetch(access.download.url);
  if (!pdf.ok) throw new Error(`The PDF of ${job.id} answered ${pdf.status}.`);
  return `${job.id} ${job.status}, ${(await pdf.arrayBuffer()).byteLength} bytes`;
}

const server = createServer(async (request, response) => {
  const body = await buffer(request);
  try {
    // The bytes as they came: JSON that was parsed and written again has another signature.
    const event = webhook.verify(body, request.headers);
    const id = request.headers['webhook-id'];
    if (taken.has(id)) console.log(`again ${id}`);
    else {
      console.log(`${id} ${await take(event)}`);
      taken.add(id);
    }
    response.writeHead(204).end();
  } catch (error) {
    // 400: not from the service. 500: it sends the same again later.
    const status = error instanceof WebhookVerificationError ? 400 : 500;
    console.error(`${status} ${error.message}`);
    response.writeHead(status).end();
  }
});

server.listen(Number(PORT), '127.0.0.1', () => console.log(`listens on ${PORT}`));
