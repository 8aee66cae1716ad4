import type { MemberRole } from '../../../contracts/admin/members.ts';

export const roleLabel: Readonly<Record<MemberRole, string>> = { member: 'Member', owner: 'Owner' };

/** For a select. */
export const roleChoices = Object.entries(roleLabel).map(([value, label]) => ({
  value: value as MemberRole,
  label,
}));
