import {
  emailAddress,
  maxPasswordLength,
  minPasswordLength,
  password,
  personName,
} from '../../../contracts/admin/people.ts';
import { workspaceName } from '../../../contracts/admin/workspaces.ts';

/** Checks of form fields in the browser, by the schemas of the contracts. The server checks again. */

interface Rule {
  safeParse(value: string): { success: boolean };
}

const rule =
  (schema: Rule, message: string) =>
  (value: string): string | null =>
    schema.safeParse(value).success ? null : message;

export const checkEmail = rule(emailAddress, 'Enter an e-mail address, such as ada@example.com.');
export const checkPersonName = rule(personName, 'Enter a name.');
export const checkWorkspaceName = rule(workspaceName, 'Enter a name of at most 255 characters.');
export const checkNewPassword = rule(
  password,
  `Choose ${minPasswordLength} to ${maxPasswordLength} characters.`,
);
