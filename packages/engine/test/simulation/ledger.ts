import { packTools } from '../../src/catalog/tool-pack.ts';
import type { Answer, Invocation, InvocationOutcome, Source } from '../../src/ports/source.ts';
import type { Invariants } from './invariants.ts';
import type { Random } from './random.ts';
import { answerOf, kindOf, siteOf } from './tools.ts';
import type { Owner, VirtualTime } from './virtual-time.ts';

interface Parts {
  time: VirtualTime;
  random: Random;
  invariants: Invariants;
  latencyMs(): number;
  /** The probability that a call never gets a response. */
  silenceRate(): number;
}

/** The other system of all tools. It records calls. A call that was sent arrives, even if its sender dies. */
export class Ledger {
  readonly #parts: Parts;
  /** Calls without a response or with an expired question. Their runs may end differently. */
  readonly unsteady = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The ledger as one process sees it. */
  source(owner: Owner): Source {
    return {
      kind: 'model',
      detect: async () => undefined,
      load: async () => ({ tools: packTools([]), warnings: [] }),
      preview: ({ tool, input }) => ({ tool: tool.path, input }),
      invoke: (invocation, signal) => this.#invoke(owner, invocation, signal),
    };
  }

  #invoke(owner: Owner, invocation: Invocation, signal: AbortSignal): Promise<InvocationOutcome> {
    const { time, random, invariants, latencyMs, silenceRate } = this.#parts;
    const { tool, call } = invocation;
    invariants.leaves(owner.name, invocation);
    const silent = random.chance(silenceRate());
    if (silent) this.unsteady.add(call.executionId);
    const hears = random.chance(0.7);
    return new Promise((resolve, reject) => {
      if (hears) signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      const answer = () => void this.#answer(owner, invocation).then(resolve, reject);
      const arrive = () => {
        invariants.received(invocation);
        if (!silent) time.after(latencyMs(), `${tool.path} answers ${call.id}`, answer, owner);
      };
      // The request or the response is lost.
      if (!silent || random.chance(0.5)) time.after(latencyMs(), `${tool.path} receives ${call.id}`, arrive);
    });
  }

  async #answer(owner: Owner, invocation: Invocation): Promise<InvocationOutcome> {
    const { tool, input, ask, call } = invocation;
    const value = answerOf(tool.path, siteOf(input));
    if (!kindOf(tool.path).asks) return { type: 'value', value };
    const { time, random, latencyMs, invariants } = this.#parts;
    const expires = random.chance(0.1);
    if (expires) this.unsteady.add(call.executionId);
    const expiresAt = new Date(time.now + 60_000);
    const answer = await ask({ kind: 'elicitation', prompt: 'How many?', ...(expires && { expiresAt }) });
    invariants.goesOn(owner.name, invocation);
    return new Promise((resolve) =>
      time.after(latencyMs(), `${tool.path} is done`, () => resolve(outcomeOf(answer)), owner),
    );
  }
}

function outcomeOf(answer: Answer): InvocationOutcome {
  if (answer.type === 'submitted') return { type: 'value', value: answer.data };
  return { type: 'error', message: `No answer: ${answer.type}.`, details: { code: answer.type } };
}
