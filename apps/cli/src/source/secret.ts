import { readFile } from 'node:fs/promises';
import { ExecutorError } from '@executor/protocol';
import type { Environment } from '../environment.ts';

/** The origin of a secret. `true` means that the command asks for it. Standard input can be read once. */
export async function readSecret(
  environment: Environment,
  what: string,
  from: string | true,
): Promise<string> {
  const secret = (await found(environment, what, from)).replace(/\r?\n$/, '');
  if (secret !== '') return secret;
  throw new ExecutorError('usage', `${from === true ? 'The typed text' : from} is empty. Expected ${what}.`);
}

async function found(environment: Environment, what: string, from: string | true): Promise<string> {
  if (from === true) return ask(environment, what);
  if (from === '-') return environment.readInput();
  const [, kind, name = ''] = /^(env|file):(.+)$/s.exec(from) ?? [];
  if (kind === 'env') return fromEnvironment(environment, name);
  if (kind === 'file') return fromFile(environment, name);
  throw new ExecutorError(
    'usage',
    `${what} cannot be an argument, because other users can read those. Pass -, env:VAR or file:PATH, or nothing to type it.`,
  );
}

async function ask(environment: Environment, what: string): Promise<string> {
  if (!environment.isInteractive) {
    throw new ExecutorError(
      'usage',
      `There is no terminal to ask for ${what}. Pass -, env:VAR or file:PATH.`,
    );
  }
  const { enterHidden } = await import('../answer/prompts.ts');
  const typed = await enterHidden(environment, { message: what }, (value) =>
    value === '' ? 'A value is required.' : undefined,
  );
  if (typed !== undefined) return typed;
  throw new ExecutorError('usage', `Nothing was entered for ${what}, so nothing was changed.`);
}

function fromEnvironment(environment: Environment, name: string): string {
  const value = environment.variables[name];
  if (value) return value;
  throw new ExecutorError('usage', `The environment variable ${name} is not set.`);
}

async function fromFile(environment: Environment, path: string): Promise<string> {
  try {
    return await readFile(environment.path(path), 'utf8');
  } catch (cause) {
    throw new ExecutorError('usage', `Cannot read ${path}: ${(cause as NodeJS.ErrnoException).code}.`, {
      cause,
    });
  }
}
