import type { Readable, Writable } from 'node:stream';

/** A message of the DevTools protocol: a command, its answer, or an event. */
export interface CdpMessage {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Carries messages to a browser, and its messages back to one receiver. */
export interface CdpTransport {
  send(message: CdpMessage): void;
  onMessage?: (message: CdpMessage) => void;
  /** Called when the pipe closes, and again for each message that is sent after that, because nothing answers it. */
  onClose?: (reason: Error) => void;
}

export interface CdpPipe extends CdpTransport {
  /** Stops sending and receiving. */
  close(reason: Error): void;
}

/** Each message on the pipe ends with NUL. */
const terminator = 0;

/** Opens the transport of `--remote-debugging-pipe`. */
export function openPipe(toBrowser: Writable, fromBrowser: Readable): CdpPipe {
  let closeReason: Error | undefined;
  const pipe: CdpPipe = {
    send(message) {
      if (!closeReason) toBrowser.write(`${JSON.stringify(message)}\0`);
      // Not at once: the sender may register its call only after it has sent the message.
      else queueMicrotask(() => pipe.onClose?.(closeReason as Error));
    },
    close(reason) {
      if (closeReason) return;
      closeReason = reason;
      pipe.onClose?.(reason);
    },
  };
  splitMessages(fromBrowser, (message) => {
    if (!closeReason) pipe.onMessage?.(message);
  });
  // The pipe breaks when the browser ends. launch-browser.ts closes it, too, with a better reason. The first reason counts.
  toBrowser.on('error', pipe.close);
  fromBrowser.on('error', pipe.close);
  return pipe;
}

function splitMessages(from: Readable, receive: (message: CdpMessage) => void): void {
  let parts: Buffer[] = [];
  from.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(terminator); end !== -1; end = chunk.indexOf(terminator, start)) {
      parts.push(chunk.subarray(start, end));
      const [only] = parts;
      const text = parts.length === 1 && only ? only.toString() : Buffer.concat(parts).toString();
      parts = [];
      start = end + 1;
      receive(JSON.parse(text) as CdpMessage);
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  });
}

/** Added to the ids of the second client. Ids are 32-bit integers. The first client counts from 1, and never reaches this number. */
const secondClientIdOffset = 2 ** 30;

/**
 * Shares one pipe between two clients of the same browser. An answer goes to the client that sent the command. Events go to both
 * clients, because each of them knows its own sessions.
 */
export function sharePipe(pipe: CdpTransport): { first: CdpTransport; second: CdpTransport } {
  const first: CdpTransport = { send: (message) => pipe.send(message) };
  const second: CdpTransport = {
    send: (message) => pipe.send({ ...message, id: (message.id ?? 0) + secondClientIdOffset }),
  };
  pipe.onMessage = (message) => {
    const { id } = message;
    if (id === undefined || id < secondClientIdOffset) first.onMessage?.(message);
    if (id === undefined) second.onMessage?.(message);
    else if (id >= secondClientIdOffset)
      second.onMessage?.({ ...message, id: id - secondClientIdOffset });
  };
  pipe.onClose = (reason) => {
    first.onClose?.(reason);
    second.onClose?.(reason);
  };
  return { first, second };
}
