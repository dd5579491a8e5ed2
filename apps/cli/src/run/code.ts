import { readFile } from 'node:fs/promises';
import { ExecutorError } from '@executor/protocol';
import type { Environment } from '../environment.ts';

export interface CodeOptions {
  file?: string;
  stdin?: boolean;
}

/** The code to run, from an argument, a file or standard input. Two of them are an error. */
export async function readCode(
  environment: Environment,
  argument: string | undefined,
  { file, stdin = false }: CodeOptions,
): Promise<string> {
  const fromInput = stdin || argument === '-' || file === '-';
  const origins = [argument !== undefined && argument !== '-', file !== undefined && file !== '-', fromInput];
  if (origins.filter(Boolean).length > 1)
    throw new ExecutorError(
      'usage',
      'Pass the code as an argument, with --file or with --stdin, not several of them.',
    );
  if (argument !== undefined && argument !== '-') return requireCode(argument, 'The argument');
  if (file !== undefined && file !== '-') return requireCode(await readCodeFile(environment, file), file);
  if (!fromInput && environment.stdin.isTTY)
    throw new ExecutorError(
      'usage',
      "There is no code to run. Try: executor call 'return 1 + 1', or --file FILE, or pipe it in.",
    );
  return requireCode(await environment.readInput(), 'Standard input');
}

function requireCode(code: string, from: string): string {
  if (code.trim() !== '') return code;
  throw new ExecutorError('usage', `${from} contains no code.`);
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
