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
  /** Open answers of each connection: a client may send requests before the earlier ones are answered. */
  const openAnswers = new WeakMap<object, number>();
  const count = (socket: object, change: 1 | -1) =>
    openAnswers.set(socket, (openAnswers.get(socket) ?? 0) + change);
  server.on('request', ({ socket }, response) => {
    count(socket, 1);
    response.on('close', () => count(socket, -1));
  });
  server.on('clientError', (cause: NodeJS.ErrnoException, socket) => {
    // The client would read this answer as that of an earlier request on the connection, or as a part of it.
    if (!socket.writable || (openAnswers.get(socket) ?? 0) > 0) {
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
