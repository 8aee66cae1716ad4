import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { ServiceError } from '../contracts/errors.ts';

/** Messages of the errors that are not malformed HTTP, by the code of Node. */
const messages: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The address and the headers are too long: send less in them.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time: send it again, faster.',
};

/**
 * Answers requests that Node's HTTP parser rejects. The answers are errors of the contract (REST 7). Node's own answers have
 * statuses that are not in the contract, and no body.
 */
export function answerUnreadableRequests(server: Server): void {
  const answering = new WeakSet<object>();
  server.on('request', ({ socket }, response) => {
    answering.add(socket);
    response.on('close', () => answering.delete(socket));
  });
  server.on('clientError', (cause: NodeJS.ErrnoException, socket) => {
    // The client would read a second answer as a part of the one that is being sent.
    if (!socket.writable || answering.has(socket)) {
      socket.destroy(cause);
      return;
    }
    const message = messages[cause.code ?? ''] ?? 'The request is not valid HTTP: correct it.';
    const error = new ServiceError('invalid_request', message);
    const body = JSON.stringify({ error: error.code, message: error.message });
    const head = [
      `HTTP/1.1 ${error.status} Bad Request`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${randomUUID()}`,
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}
