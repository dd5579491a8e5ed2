import type { Machine } from '../agent-client.ts';

/** A value that the file does not have. */
export class MissingValue extends Error {}

/** Replaces the references that agent programs allow: `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `{env:NAME}`. */
export class Variables {
  readonly #machine: Machine;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  get(name: string): string {
    const value = this.#machine.env[name];
    if (value !== undefined) return value;
    throw new MissingValue(`it needs the environment variable ${name}`);
  }

  /** References to the variables in `kept` are for the server itself. */
  expand(text: string, kept: readonly string[] = []): string {
    return text.replace(
      /\$\{([^${}]*)\}|\{env:([^{}]*)\}/g,
      (whole, written: string | undefined, plain = '') => this.#value(written ?? `env:${plain}`, whole, kept),
    );
  }

  expandAll(texts: Record<string, string>): Record<string, string> {
    return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, this.expand(text)]));
  }

  #value(written: string, whole: string, kept: readonly string[]): string {
    if (written === 'userHome') return this.#machine.home;
    const [, name, fallback] = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s.exec(written) ?? [];
    if (name === undefined) throw new MissingValue(`that program fills in ${whole}`);
    if (kept.includes(name)) return whole;
    if (this.#machine.env[name] === undefined && fallback !== undefined) return fallback;
    return this.get(name);
  }
}
