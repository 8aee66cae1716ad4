import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { minPasswordLength } from '../../../contracts/admin/people.ts';

export const NewPasswordInput = (props: PasswordInputProps) => (
  <PasswordInput
    label="Password"
    description={`At least ${minPasswordLength} characters; a sentence is easy to remember.`}
    autoComplete="new-password"
    {...props}
  />
);
