import type { Viewer } from '../../store/workspaces/workspaces.ts';
import type { ApiContext } from '../context.ts';

/** Who calls the admin router: an internal tool or operator by the admin token, or a person who has signed in. */
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

/** Whose workspaces are seen. */
export const viewerOf = (actor: Actor): Viewer => ({
  userId: actor.kind === 'person' ? actor.id : undefined,
  operator: isOperator(actor),
});

/** As the audit log names it. */
export const nameOf = (actor: Actor): string => (actor.kind === 'person' ? actor.id : actor.kind);
