import type { Viewer } from '../../store/workspaces/workspaces.ts';
import type { ApiContext } from '../context.ts';

/** The caller of the admin router: the admin token, which internal tools and operators use, or a user who has signed in. */
export type Actor = { readonly kind: 'admin-token' } | Person;

export interface Person {
  readonly kind: 'person';
  readonly id: string;
  readonly email: string;
  readonly operator: boolean;
}

export interface AdminContext {
  readonly service: ApiContext;
  readonly actor: Actor | undefined;
  readonly requestId: string;
  readonly now: number;
}

export const isOperator = (actor: Actor): boolean => actor.kind === 'admin-token' || actor.operator;

/** Converts an actor to the viewer by whose rights the store selects workspaces. */
export const viewerOf = (actor: Actor): Viewer => ({
  userId: actor.kind === 'person' ? actor.id : undefined,
  operator: isOperator(actor),
});

/** The id of a user, or `admin-token`. The audit log, API keys and invitations name an actor like this. */
export const actorIdOf = (actor: Actor): string =>
  actor.kind === 'person' ? actor.id : actor.kind;
