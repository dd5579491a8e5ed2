import { AsyncLocalStorage } from 'node:async_hooks';
import { type Account, executorItself } from './account.ts';

const charged = new AsyncLocalStorage<Account>();

/** Charges everything that this work causes to an account, until it charges a part to another one. */
export function chargeTo<Result>(account: Account, work: () => Result): Result {
  return charged.run(account, work);
}

/** The account that is charged here. */
export function chargedAccount(): Account {
  return charged.getStore() ?? executorItself;
}
