import {
  emailAddress,
  maxPasswordLength,
  minPasswordLength,
  password,
  personName,
} from '../../../contracts/admin/people.ts';
import { workspaceName } from '../../../contracts/admin/workspaces.ts';

/**
 * Checks of form fields in the browser, by the schemas of the contracts. Each returns the message to show, or null. The server
 * checks again.
 */

interface TextSchema {
  safeParse(value: string): { success: boolean };
}

const createCheck =
  (schema: TextSchema, message: string) =>
  (value: string): string | null =>
    schema.safeParse(value).success ? null : message;

export const checkEmail = createCheck(
  emailAddress,
  'Enter an e-mail address, such as ada@example.com.',
);
export const checkPersonName = createCheck(personName, 'Enter a name of at most 255 characters.');
export const checkWorkspaceName = createCheck(
  workspaceName,
  'Enter a name of at most 255 characters.',
);
export const checkNewPassword = createCheck(
  password,
  `Choose ${minPasswordLength} to ${maxPasswordLength} characters.`,
);
