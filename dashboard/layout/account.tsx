import { createContext, useContext } from 'react';
import type { Account } from '../../contracts/admin/people.ts';

const AccountContext = createContext<Account | undefined>(undefined);
export const AccountProvider = AccountContext.Provider;

/** Whoever has signed in; for everything below the shell. */
export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (!account) throw new Error('Only pages inside the shell have an account.');
  return account;
}
