import type { AgentSession } from '../task.ts';
import { type Outcome, readAnswer } from './reading.ts';

const maxExecutes = 16;
const maxResumes = 12;

/** Thrown when the agent has no idea left. */
export class GaveUp extends Error {}

/** Runs code through the tools of the session, and waits until the run has ended. */
export class Conversation {
  readonly #session: AgentSession;
  readonly #execute: string;
  readonly #resume: string;
  #executes = 0;

  constructor(session: AgentSession) {
    this.#session = session;
    const named = (field: string) =>
      session.tools.find(({ inputSchema }) => inputSchema.properties && field in inputSchema.properties)
        ?.name ?? '';
    this.#execute = named('code');
    this.#resume = named('executionId');
  }

  get shown(): string {
    return this.#session.shown;
  }

  async run(code: string): Promise<Outcome> {
    if (++this.#executes > maxExecutes) throw new GaveUp('Too many scripts.');
    let outcome = readAnswer(await this.#session.call(this.#execute, { code }));
    for (let resumes = 0; outcome.type === 'waiting' || outcome.type === 'running'; resumes++) {
      if (resumes === maxResumes) throw new GaveUp('The run does not end.');
      if (outcome.type === 'waiting') await this.#session.showUser(outcome.text);
      outcome = readAnswer(await this.#session.call(this.#resume, { executionId: outcome.executionId }));
    }
    return outcome;
  }
}
