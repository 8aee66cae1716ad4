import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { answerUnreadableRequests } from '../../api/unreadable-requests.ts';

const slowMs = 300;
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: service\r\n\r\n`;
const garbage = 'this is not HTTP\r\n\r\n';

/** Sends bytes on one connection, and garbage once the first answer has arrived. Returns all that the server sent. */
async function converse(requests: string, answersBeforeGarbage: number): Promise<string> {
  const server = createServer(async (request, response) => {
    if (request.url === '/slow') await sleep(slowMs);
    response.end(`answer to ${request.url}`);
  });
  answerUnreadableRequests(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const received = text(socket);
    socket.write(requests);
    if (answersBeforeGarbage > 0) await once(socket, 'data');
    socket.end(garbage);
    return await received.catch(() => '');
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('bytes that are not HTTP', () => {
  it('get the error of the contract', async () => {
    const answer = await converse('', 0);
    expect(answer).to.match(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).to.include('"error":"invalid_request"');
  });

  it('get no answer while an earlier request of the connection waits for its own', async () => {
    expect(await converse(get('/slow'), 0)).to.not.include('invalid_request');
    const answers = await converse(get('/fast') + get('/slow'), 1);
    expect(answers).to.include('answer to /fast').and.not.include('invalid_request');
  });
});
