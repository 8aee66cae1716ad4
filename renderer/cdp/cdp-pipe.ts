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

/** Carries messages to a browser and back, for one receiver. */
export interface CdpTransport {
  send(message: CdpMessage): void;
  onMessage?: (message: CdpMessage) => void;
  /** Called when the pipe closes, and again for each message that is sent after that: nothing answers any more. */
  onClose?: (reason: Error) => void;
}

export interface CdpPipe extends CdpTransport {
  /** Answers nothing any more. */
  close(reason: Error): void;
}

/** Messages on the pipe end with NUL. */
const terminator = 0;

/** The transport of `--remote-debugging-pipe`. */
export function openPipe(toBrowser: Writable, fromBrowser: Readable): CdpPipe {
  let closedBy: Error | undefined;
  const pipe: CdpPipe = {
    send(message) {
      if (!closedBy) toBrowser.write(`${JSON.stringify(message)}\0`);
      // After the sender has noted what it waits for.
      else queueMicrotask(() => pipe.onClose?.(closedBy as Error));
    },
    close(reason) {
      if (closedBy) return;
      closedBy = reason;
      pipe.onClose?.(reason);
    },
  };
  splitMessages(fromBrowser, (message) => {
    if (!closedBy) pipe.onMessage?.(message);
  });
  // The pipe breaks when the browser ends; the watcher of the process says why.
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

/** Ids are 32-bit integers, and counted from 1: the first of two senders never gets this far. */
const firstIdOfSecond = 2 ** 30;

/**
 * One pipe for two that drive the same browser. An answer goes to the sender of its command, events go to both: each knows the
 * sessions that it made.
 */
export function sharePipe(pipe: CdpTransport): { first: CdpTransport; second: CdpTransport } {
  const first: CdpTransport = { send: (message) => pipe.send(message) };
  const second: CdpTransport = {
    send: (message) => pipe.send({ ...message, id: (message.id ?? 0) + firstIdOfSecond }),
  };
  pipe.onMessage = (message) => {
    const { id } = message;
    if (id === undefined || id < firstIdOfSecond) first.onMessage?.(message);
    if (id === undefined) second.onMessage?.(message);
    else if (id >= firstIdOfSecond) second.onMessage?.({ ...message, id: id - firstIdOfSecond });
  };
  pipe.onClose = (reason) => {
    first.onClose?.(reason);
    second.onClose?.(reason);
  };
  return { first, second };
}
