import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { CDPSession } from 'playwright';

/** A session of the DevTools protocol, with Playwright's types of it. */
export type CdpSession = Pick<CDPSession, 'send' | 'on' | 'off'>;

declare const anySession: CDPSession;
/** Answer to a command of the protocol, by the command's name. */
type CdpAnswer<M extends Parameters<CDPSession['send']>[0]> = Awaited<
  ReturnType<typeof anySession.send<M>>
>;
/** A value of the page, as the protocol hands it over. */
export type RemoteObject = CdpAnswer<'Runtime.evaluate'>['result'];
export type ObjectPreview = NonNullable<RemoteObject['preview']>;
export type ExceptionDetails = NonNullable<CdpAnswer<'Runtime.evaluate'>['exceptionDetails']>;

export interface CdpConnection {
  /** The browser itself. */
  readonly browser: CdpSession;
  /** The session of one target, by the id that `Target.attachToTarget` (flatten) returned. */
  session(sessionId: string): CdpSession;
  /** Forgets a session: its open calls reject. */
  forget(sessionId: string): void;
  /** Rejects every open call and every later one. */
  close(reason: Error): void;
}

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface OpenCall {
  readonly method: string;
  readonly sessionId: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Chromium refused a command; a closed connection is another error. */
export class CdpError extends Error {
  override readonly name = 'CdpError';
}

/** Messages on the pipe end with NUL. */
const terminator = 0;
const browserSessionId = '';

/**
 * The DevTools protocol over `--remote-debugging-pipe`. Playwright's own connection attaches its instrumentation to every page
 * (utility worlds, lifecycle events, auto-attach that pauses targets); without it a one-page invoice costs 130 instead of
 * 155 ms of CPU, and two slots print 14.0 instead of 10.5 of them a second [measured, 2 cores].
 */
export function connectCdp(toBrowser: Writable, fromBrowser: Readable): CdpConnection {
  const calls = new Map<number, OpenCall>();
  const sessions = new Map<string, { session: CdpSession; events: EventEmitter }>();
  let lastId = 0;
  let closedBy: Error | undefined;

  const send = (sessionId: string, method: string, params: unknown): Promise<unknown> => {
    if (closedBy) return Promise.reject(closedBy);
    const id = ++lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    calls.set(id, { method, sessionId, resolve, reject });
    toBrowser.write(
      `${JSON.stringify({ id, method, params, sessionId: sessionId || undefined })}\0`,
    );
    return promise;
  };

  const session = (sessionId: string): CdpSession => {
    const known = sessions.get(sessionId);
    if (known) return known.session;
    const events = new EventEmitter();
    const made = {
      send: (method: string, params?: unknown) => send(sessionId, method, params),
      on: events.on.bind(events),
      off: events.off.bind(events),
    } as unknown as CdpSession;
    sessions.set(sessionId, { session: made, events });
    return made;
  };

  const receive = (message: Message): void => {
    if (message.id === undefined) {
      const events = sessions.get(message.sessionId ?? browserSessionId)?.events;
      if (message.method) events?.emit(message.method, message.params);
      return;
    }
    const call = calls.get(message.id);
    calls.delete(message.id);
    if (message.error) call?.reject(new CdpError(`${call.method}: ${message.error.message}`));
    else call?.resolve(message.result);
  };

  const rejectCalls = (reason: Error, concerns: (call: OpenCall) => boolean): void => {
    for (const [id, call] of calls) {
      if (!concerns(call)) continue;
      calls.delete(id);
      call.reject(reason);
    }
  };

  const close = (reason: Error): void => {
    closedBy ??= reason;
    rejectCalls(closedBy, () => true);
  };

  splitMessages(fromBrowser, receive);
  // The pipe breaks when the browser ends: whoever watches the process says why.
  toBrowser.on('error', close);
  fromBrowser.on('error', close);

  return {
    browser: session(browserSessionId),
    session,
    forget: (sessionId) => {
      sessions.delete(sessionId);
      rejectCalls(new Error('The page was closed.'), (call) => call.sessionId === sessionId);
    },
    close,
  };
}

function splitMessages(from: Readable, receive: (message: Message) => void): void {
  let parts: Buffer[] = [];
  from.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(terminator); end !== -1; end = chunk.indexOf(terminator, start)) {
      parts.push(chunk.subarray(start, end));
      const [only] = parts;
      const text = parts.length === 1 && only ? only.toString() : Buffer.concat(parts).toString();
      parts = [];
      start = end + 1;
      receive(JSON.parse(text) as Message);
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  });
}
