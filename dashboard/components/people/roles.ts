import type { MemberRole } from '../../../contracts/admin/members.ts';

export const roleLabel = {
  member: 'Member',
  owner: 'Owner',
} as const satisfies Record<MemberRole, string>;

/** The roles as used in a sentence. */
export const roleWithArticle = {
  member: 'a member',
  owner: 'an owner',
} as const satisfies Record<MemberRole, string>;

/** The options of a field that chooses a role. */
export const roleChoices = Object.entries(roleLabel).map(([value, label]) => ({
  value: value as MemberRole,
  label,
}));
