import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { ExecutorError } from '@executor/protocol';

export interface CodeOptions {
  file?: string;
  stdin?: boolean;
}

/** The code to run: an argument, a file, or what is piped in. Naming two of them is a mistake, and is told as one. */
export async function readCode(
  argument: string | undefined,
  { file, stdin = false }: CodeOptions,
  input: NodeJS.ReadStream = process.stdin,
): Promise<string> {
  const fromInput = stdin || argument === '-' || file === '-';
  const given = [argument !== undefined && argument !== '-', file !== undefined && file !== '-', fromInput];
  if (given.filter(Boolean).length > 1)
    throw new ExecutorError('usage', 'Code comes from an argument, from --file or from --stdin: give one.');
  if (argument !== undefined && argument !== '-') return requireCode(argument, 'The argument');
  if (file !== undefined && file !== '-') return requireCode(await readCodeFile(file), file);
  if (!fromInput && input.isTTY)
    throw new ExecutorError(
      'usage',
      "There is no code to run. Try: executor call 'return 1 + 1', or --file FILE, or pipe it in.",
    );
  return requireCode(await text(input), 'What was piped in');
}

function requireCode(code: string, from: string): string {
  if (code.trim() !== '') return code;
  throw new ExecutorError('usage', `${from} holds no code.`);
}

async function readCodeFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const reason =
      (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : String(cause);
    throw new ExecutorError('usage', `Cannot read ${path}: ${reason}.`, { cause });
  }
}
