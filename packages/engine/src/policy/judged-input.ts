import type { CompletedInput } from '../validation/complete-input.ts';

/** An input with documented defaults, as rules judge it. */
export class JudgedInput {
  /** What is sent: with the defaults of the fields that rules look at. */
  readonly sent: unknown;
  /** What the server may act on instead, because a documented default cannot be sent or is not certain. */
  readonly alternatives: readonly unknown[];
  /** Without these defaults: a default does not make a field present. */
  readonly original: unknown;

  constructor({ input, alternatives }: Pick<CompletedInput, 'input' | 'alternatives'>, original: unknown) {
    this.sent = input;
    this.alternatives = alternatives;
    this.original = original;
  }
}

/** What is sent for an input, judged or not. */
export function sentInput(input: unknown): unknown {
  return input instanceof JudgedInput ? input.sent : input;
}
