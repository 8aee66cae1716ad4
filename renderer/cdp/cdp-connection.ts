import { EventEmitter } from 'node:events';
import type { CDPSession } from 'playwright';
import type { CdpMessage, CdpTransport } from './cdp-pipe.ts';

/** A session of the DevTools protocol, with the types of Playwright. */
export type CdpSession = Pick<CDPSession, 'send' | 'on' | 'off'>;

declare const anySession: CDPSession;
/** The answer to the command of this name. */
type CdpAnswer<M extends Parameters<CDPSession['send']>[0]> = Awaited<
  ReturnType<typeof anySession.send<M>>
>;
/** A value of the page, as the protocol describes it. */
export type RemoteObject = CdpAnswer<'Runtime.evaluate'>['result'];
export type ObjectPreview = NonNullable<RemoteObject['preview']>;
export type ExceptionDetails = NonNullable<CdpAnswer<'Runtime.evaluate'>['exceptionDetails']>;

export interface CdpConnection {
  /** Session of the browser itself. */
  readonly browser: CdpSession;
  /** Returns the session of one target, by the id that `Target.attachToTarget` (flatten) returned. */
  session(sessionId: string): CdpSession;
  /** Removes a session, and rejects its open calls. Nothing is sent to Chromium. */
  removeSession(sessionId: string): void;
}

interface OpenCall {
  readonly method: string;
  readonly sessionId: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Chromium refused a command. A closed connection is another error. */
export class CdpError extends Error {
  override readonly name = 'CdpError';
}

const browserSessionId = '';

/** Speaks the DevTools protocol over a transport, which must have no other receiver. */
export function connectCdp(transport: CdpTransport): CdpConnection {
  const calls = new Map<number, OpenCall>();
  const sessions = new Map<string, { session: CdpSession; events: EventEmitter }>();
  let lastId = 0;

  const send = (sessionId: string, method: string, params: unknown): Promise<unknown> => {
    const id = ++lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    calls.set(id, { method, sessionId, resolve, reject });
    transport.send({ id, method, params, ...(sessionId && { sessionId }) });
    return promise;
  };

  const session = (sessionId: string): CdpSession => {
    const existing = sessions.get(sessionId);
    if (existing) return existing.session;
    const events = new EventEmitter();
    const created = {
      send: (method: string, params?: unknown) => send(sessionId, method, params),
      on: events.on.bind(events),
      off: events.off.bind(events),
    } as unknown as CdpSession;
    sessions.set(sessionId, { session: created, events });
    return created;
  };

  transport.onMessage = (message: CdpMessage): void => {
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

  const rejectCalls = (reason: Error, matches: (call: OpenCall) => boolean): void => {
    for (const [id, call] of calls) {
      if (!matches(call)) continue;
      calls.delete(id);
      call.reject(reason);
    }
  };

  transport.onClose = (reason) => rejectCalls(reason, () => true);

  return {
    browser: session(browserSessionId),
    session,
    removeSession: (sessionId) => {
      sessions.delete(sessionId);
      rejectCalls(new Error('The page was closed.'), (call) => call.sessionId === sessionId);
    },
  };
}
