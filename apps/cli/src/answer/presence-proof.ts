import { ExecutorError } from '@executor/protocol';
import { isInteractive } from '../interactive.ts';

/** Proof that a person is there, asked for when the server wants it: EXECUTOR_PIN, or the PIN typed at the terminal. Never an argument, which other processes can read. */
export class PresenceProof {
  #pin: string | undefined;

  /** Makes a request, and again with proof where it is refused for want of it. */
  async for<Answer>(make: (presence: string | undefined) => Promise<Answer>): Promise<Answer> {
    let untried = [process.env.EXECUTOR_PIN].filter((pin) => pin !== undefined && pin !== '');
    for (;;) {
      try {
        return await make(this.#pin);
      } catch (error) {
        if (!(error instanceof ExecutorError) || error.code !== 'presenceRequired') throw error;
        const first = this.#pin === undefined;
        this.#pin = untried.pop() ?? (await askForPin(error, first));
        untried = [];
      }
    }
  }
}

async function askForPin(refusal: ExecutorError, first: boolean): Promise<string> {
  if (!isInteractive()) {
    throw new ExecutorError(
      'presenceRequired',
      `${refusal.message} Set EXECUTOR_PIN, or do this at a terminal, where it is asked for.`,
      { cause: refusal },
    );
  }
  const { enterHidden } = await import('./prompts.ts');
  const message = first ? 'Your PIN, please' : 'That was not the PIN; once more';
  const pin = await enterHidden({ message }, (typed) => (typed === '' ? 'It is needed.' : undefined));
  if (pin !== undefined) return pin;
  throw new ExecutorError('presenceRequired', 'Without the PIN nothing was changed.');
}
