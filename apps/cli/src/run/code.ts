import { readFile } from 'node:fs/promises';
import { ExecutorError } from '@executor/protocol';
import type { Environment } from '../environment.ts';

export interface CodeOptions {
  file?: string;
  stdin?: boolean;
}

/** The code to run: an argument, a file, or what is piped in. Naming two of them is a mistake, and is told as one. */
export async function readCode(
  environment: Environment,
  argument: string | undefined,
  { file, stdin = false }: CodeOptions,
): Promise<string> {
  const fromInput = stdin || argument === '-' || file === '-';
  const given = [argument !== undefined && argument !== '-', file !== undefined && file !== '-', fromInput];
  if (given.filter(Boolean).length > 1)
    throw new ExecutorError('usage', 'Code comes from an argument, from --file or from --stdin: give one.');
  if (argument !== undefined && argument !== '-') return requireCode(argument, 'The argument');
  if (file !== undefined && file !== '-') return requireCode(await readCodeFile(environment, file), file);
  if (!fromInput && environment.stdin.isTTY)
    throw new ExecutorError(
      'usage',
      "There is no code to run. Try: executor call 'return 1 + 1', or --file FILE, or pipe it in.",
    );
  return requireCode(await environment.readInput(), 'What was piped in');
}

function requireCode(code: string, from: string): string {
  if (code.trim() !== '') return code;
  throw new ExecutorError('usage', `${from} holds no code.`);
}

async function readCodeFile(environment: Environment, path: string): Promise<string> {
  try {
    return await readFile(environment.path(path), 'utf8');
  } catch (cause) {
    const reason =
      (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : String(cause);
    throw new ExecutorError('usage', `Cannot read ${path}: ${reason}.`, { cause });
  }
}
