import { ExecutorError, printable } from '@executor/protocol';
import type { Environment } from '../environment.ts';

/**
 * Proof of presence, requested when the server needs it: EXECUTOR_PIN, or the PIN typed at the terminal. It is never an argument, because
 * other processes can read arguments.
 */
export class PresenceProof {
  #pin: string | undefined;
  readonly #environment: Environment;
  #fromEnvironment: string | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#fromEnvironment = environment.variables.EXECUTOR_PIN || undefined;
  }

  /** Makes a request, and repeats it with proof if the server requires that. */
  async for<Answer>(make: (presence: string | undefined) => Promise<Answer>): Promise<Answer> {
    for (;;) {
      try {
        return await make(this.#pin);
      } catch (error) {
        if (!(error instanceof ExecutorError) || error.code !== 'presenceRequired') throw error;
        this.#pin =
          this.#fromEnvironment ?? (await askForPin(this.#environment, error, this.#pin === undefined));
        this.#fromEnvironment = undefined;
      }
    }
  }
}

async function askForPin(environment: Environment, refusal: ExecutorError, first: boolean): Promise<string> {
  if (!environment.isInteractive) {
    const hint = first ? ' Or set EXECUTOR_PIN.' : ' It was taken from EXECUTOR_PIN.';
    throw new ExecutorError('presenceRequired', `${refusal.message}${hint}`, { cause: refusal });
  }
  const { enterHidden } = await import('./prompts.ts');
  // The error for a wrong PIN says how many attempts remain.
  const message = first ? 'Enter your PIN' : printable(refusal.message);
  const pin = await enterHidden(environment, { message }, (typed) =>
    typed === '' ? 'A value is required.' : undefined,
  );
  if (pin !== undefined) return pin;
  throw new ExecutorError('presenceRequired', 'No PIN was entered, so nothing was changed.');
}
