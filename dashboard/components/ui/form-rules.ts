import {
  emailAddress,
  maxPasswordLength,
  minPasswordLength,
  password,
  personName,
} from '../../../contracts/admin/people.ts';
import { workspaceName } from '../../../contracts/admin/workspaces.ts';

/** What forms say of a field before the server would; the rules are those of the contracts. */

interface Rule {
  safeParse(value: string): { success: boolean };
}

const rule =
  (schema: Rule, sentence: string) =>
  (value: string): string | null =>
    schema.safeParse(value).success ? null : sentence;

export const checkEmail = rule(emailAddress, 'Enter an e-mail address, such as ada@example.com.');
export const checkPersonName = rule(personName, 'Enter a name.');
export const checkWorkspaceName = rule(workspaceName, 'Enter a name of at most 255 characters.');
export const checkNewPassword = rule(
  password,
  `Choose ${minPasswordLength} to ${maxPasswordLength} characters.`,
);
