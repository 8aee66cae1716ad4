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

/** The viewer whose workspaces an actor can see. */
export const viewerOf = (actor: Actor): Viewer => ({
  userId: actor.kind === 'person' ? actor.id : undefined,
  operator: isOperator(actor),
});

/** Name of an actor in the audit log. */
export const nameOf = (actor: Actor): string => (actor.kind === 'person' ? actor.id : actor.kind);
