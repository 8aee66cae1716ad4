import { initTRPC, type TRPCError } from '@trpc/server';
import { type TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { z } from 'zod';
import type { MemberRole } from '../../contracts/admin/members.ts';
import { ServiceError } from '../../contracts/errors.ts';
import { assertStorableJson } from '../../contracts/json.ts';
import { maxCallsPerRequest } from '../../contracts/limits.ts';
import { policyOf } from '../../contracts/plans.ts';
import { getWorkspace } from '../../store/workspaces/workspaces.ts';
import { describeIssues } from '../endpoint.ts';
import { toServiceError } from '../error-handler.ts';
import { type AdminContext, isOperator, viewerOf } from './context.ts';

/**
 * The kinds of procedures, by who may call them. Each checks who calls before it looks at the rest of the input, and what it
 * answers, an error of the catalogue included, is the same whether something is another's or does not exist.
 */

/** What tRPC calls the statuses of the catalogue. */
const trpcCodes: Readonly<Record<number, TRPC_ERROR_CODE_KEY>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  410: 'NOT_FOUND',
  501: 'NOT_IMPLEMENTED',
  503: 'SERVICE_UNAVAILABLE',
};

/** An error as clients of the admin router get it. */
export function toErrorShape({ code, message, status }: ServiceError) {
  const key = trpcCodes[status] ?? 'INTERNAL_SERVER_ERROR';
  const data = { code: key, httpStatus: status, error: code };
  return { message, code: TRPC_ERROR_CODES_BY_KEY[key], data };
}

/** Says how the input of a procedure is checked. */
interface ProcedureMeta {
  /** Its fields `payload` are the caller's: any JSON, with any text in them. */
  readonly takesPayload?: true;
}

const t = initTRPC
  .context<AdminContext>()
  .meta<ProcedureMeta>()
  .create({
    isDev: false,
    errorFormatter: ({ error }) => toErrorShape(toCatalogueError(error)),
  });

const notJson = 'The input is not JSON: correct it.';

/** What tRPC itself refuses, in our words. */
const refusals: Partial<Record<TRPC_ERROR_CODE_KEY, string>> = {
  METHOD_NOT_SUPPORTED: 'Send a query by GET, and what changes something by POST.',
  UNSUPPORTED_MEDIA_TYPE: 'Send the body with Content-Type: application/json.',
  BAD_REQUEST: `Send at most ${maxCallsPerRequest} calls in a batch, of queries only or of changes only, and their inputs as one object.`,
};

/** What an error of a procedure is in the catalogue: its code and sentence are those of the REST contract. */
export function toCatalogueError(error: TRPCError): ServiceError {
  const { code, cause } = error;
  if (code === 'BAD_REQUEST' && cause instanceof z.ZodError)
    return new ServiceError('invalid_request', describeIssues(cause), { cause: error });
  // Of an input in the address; one in a body was read before.
  if (code === 'BAD_REQUEST' && cause instanceof SyntaxError)
    return new ServiceError('invalid_request', notJson, { cause: error });
  if (cause) return toServiceError(cause);
  if (code === 'NOT_FOUND') return new ServiceError('not_found');
  return code === 'INTERNAL_SERVER_ERROR'
    ? new ServiceError('internal_error')
    : new ServiceError('invalid_request', refusals[code]);
}

export const { router } = t;

/** Anybody: what is asked is known only to whom it was given. */
export const publicProcedure = t.procedure.use(async ({ getRawInput, path, meta, next }) => {
  assertStorableJson(await getRawInput(), { anyTextIn: meta?.takesPayload && 'payload' });
  return next({ ctx: { action: path } });
});

/** Whoever has signed in, and the admin token. */
export const signedInProcedure = publicProcedure.use(({ ctx, next }) => {
  const { actor } = ctx;
  if (!actor) throw new ServiceError('unauthorized', 'Sign in, or send the admin token.');
  return next({ ctx: { actor } });
});

/** A person, for what is theirs. */
export const personProcedure = signedInProcedure.use(({ ctx, next }) => {
  const { actor } = ctx;
  if (actor.kind !== 'person')
    throw new ServiceError('forbidden', 'Only a person can do that: sign in.');
  return next({ ctx: { actor } });
});

/** The admin token, and people who are operators. */
export const operatorProcedure = signedInProcedure.use(({ ctx, next }) => {
  if (!isOperator(ctx.actor)) throw new ServiceError('forbidden', 'Only operators can do that.');
  return next();
});

const inWorkspace = (roles: readonly MemberRole[], refusal: string) =>
  signedInProcedure
    .input(z.object({ workspaceId: z.string() }))
    .use(async ({ ctx, input, next }) => {
      const { actor, service } = ctx;
      const { sql } = service.store;
      const workspace = await getWorkspace(sql, input.workspaceId, viewerOf(actor));
      if (!isOperator(actor) && !roles.includes(workspace.role ?? 'member'))
        throw new ServiceError('forbidden', refusal);
      const policy = policyOf(service.config.plans, workspace.plan);
      return next({ ctx: { workspace, policy } });
    });

/** Members and owners of the workspace, and operators. */
export const memberProcedure = inWorkspace(['member', 'owner'], 'Only members can do that.');

/** Owners of the workspace, and operators. */
export const ownerProcedure = inWorkspace(['owner'], 'Only an owner of the workspace can do that.');

/** Operators, about one workspace. */
export const operatorWorkspaceProcedure = inWorkspace([], 'Only operators can do that.');
