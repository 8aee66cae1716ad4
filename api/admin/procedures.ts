import { initTRPC, type TRPCError } from '@trpc/server';
import { type TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { z } from 'zod';
import type { MemberRole } from '../../contracts/admin/members.ts';
import { type ErrorStatus, ServiceError } from '../../contracts/errors.ts';
import { assertStorableJson } from '../../contracts/json.ts';
import { maxCallsPerRequest } from '../../contracts/limits.ts';
import { policyOf } from '../../contracts/plans.ts';
import { getWorkspace } from '../../store/workspaces/workspaces.ts';
import { describeIssues } from '../endpoint.ts';
import { toServiceError } from '../error-handler.ts';
import { type AdminContext, isOperator, viewerOf } from './context.ts';

/**
 * The kinds of procedures, by who may call them. Each checks the caller before the rest of the input. Its error is the same for
 * something that does not exist and for something of another workspace.
 */

/** The code of tRPC for each HTTP status of our errors. */
const trpcCodes: Readonly<Record<ErrorStatus, TRPC_ERROR_CODE_KEY>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  410: 'NOT_FOUND',
  500: 'INTERNAL_SERVER_ERROR',
  501: 'NOT_IMPLEMENTED',
  503: 'SERVICE_UNAVAILABLE',
};

/** Converts an error to the form that clients of the admin router get. */
export function toErrorShape({ code, message, status }: ServiceError) {
  const key = trpcCodes[status];
  const data = { code: key, httpStatus: status, error: code };
  return { message, code: TRPC_ERROR_CODES_BY_KEY[key], data };
}

/** How the input of a procedure is checked. */
interface ProcedureMeta {
  /** The input has fields named `payload`. They may hold any JSON and any text. */
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

/** Our sentences for errors that tRPC itself throws, by its code. */
const trpcErrorMessages: Partial<Record<TRPC_ERROR_CODE_KEY, string>> = {
  METHOD_NOT_SUPPORTED: 'Send a query by GET and a mutation by POST.',
  UNSUPPORTED_MEDIA_TYPE: 'Send the body with Content-Type: application/json.',
  BAD_REQUEST: `Send at most ${maxCallsPerRequest} calls in a batch, only queries or only mutations, and their inputs as one object.`,
};

/** Converts an error of tRPC or of a procedure to one of our errors. Code and sentence are the same as in the REST API. */
export function toCatalogueError(error: TRPCError): ServiceError {
  const { code, cause } = error;
  if (code === 'BAD_REQUEST' && cause instanceof z.ZodError)
    return new ServiceError('invalid_request', describeIssues(cause), { cause: error });
  // The input of a query is in the address. A JSON error in a body was answered before, by the body parser.
  if (code === 'BAD_REQUEST' && cause instanceof SyntaxError)
    return new ServiceError('invalid_request', notJson, { cause: error });
  if (cause) return toServiceError(cause);
  if (code === 'NOT_FOUND') return new ServiceError('not_found');
  return code === 'INTERNAL_SERVER_ERROR'
    ? new ServiceError('internal_error')
    : new ServiceError('invalid_request', trpcErrorMessages[code]);
}

export const { router } = t;

/** For everybody, also without signing in. Such a procedure needs a secret token in its input, or answers nothing secret. */
export const publicProcedure = t.procedure.use(async ({ getRawInput, path, meta, next }) => {
  assertStorableJson(await getRawInput(), { anyTextIn: meta?.takesPayload && 'payload' });
  return next({ ctx: { action: path } });
});

/** For users who have signed in, and the admin token. */
export const signedInProcedure = publicProcedure.use(({ ctx, next }) => {
  const { actor } = ctx;
  if (!actor) throw new ServiceError('unauthorized', 'Sign in, or send the admin token.');
  return next({ ctx: { actor } });
});

/** For users who have signed in, not for the admin token: the procedure uses the caller's own account. */
export const personProcedure = signedInProcedure.use(({ ctx, next }) => {
  const { actor } = ctx;
  if (actor.kind !== 'person')
    throw new ServiceError('forbidden', 'Only a user can do that: sign in.');
  return next({ ctx: { actor } });
});

/** For the admin token, and users who are operators. */
export const operatorProcedure = signedInProcedure.use(({ ctx, next }) => {
  if (!isOperator(ctx.actor)) throw new ServiceError('forbidden', 'Only operators can do that.');
  return next();
});

/** Creates a kind of procedure that acts on one workspace. Operators may always call it, other users if they have one of the roles. */
const inWorkspace = (roles: readonly MemberRole[], message: string) =>
  signedInProcedure
    .input(z.object({ workspaceId: z.string() }))
    .use(async ({ ctx, input, next }) => {
      const { actor, service } = ctx;
      const { sql } = service.store;
      const workspace = await getWorkspace(sql, input.workspaceId, viewerOf(actor));
      if (!isOperator(actor) && !roles.includes(workspace.role ?? 'member'))
        throw new ServiceError('forbidden', message);
      const policy = policyOf(service.config.plans, workspace.plan);
      return next({ ctx: { workspace, policy } });
    });

/** For members and owners of the workspace, and operators. */
export const memberProcedure = inWorkspace(['member', 'owner'], 'Only members can do that.');

/** For owners of the workspace, and operators. */
export const ownerProcedure = inWorkspace(['owner'], 'Only an owner of the workspace can do that.');

/** For operators only. The procedure acts on one workspace. */
export const operatorWorkspaceProcedure = inWorkspace([], 'Only operators can do that.');
