import { writeFileSync } from 'node:fs';
import { ExecutorError, printable } from '@executor/protocol';
import type { Environment } from '../../environment.ts';
import { connect } from '../../server/connect.ts';

/** Writes the bytes of an artifact unchanged. Only text is written to a terminal, because other bytes could control it. */
export async function getArtifact(
  environment: Environment,
  id: string,
  { output }: { output?: string },
): Promise<void> {
  const client = await connect(environment);
  const { bytes, mediaType } = await client.artifacts.get({ id });
  if (output !== undefined) {
    writeNewFile(environment, output, bytes);
    environment.note(`${output}: ${bytes.length} bytes of ${mediaType}.`);
    return;
  }
  if (!environment.stdout.isTTY) {
    return environment.writeBytes(bytes);
  }
  const text = decoded(bytes);
  if (text === undefined)
    throw new ExecutorError(
      'usage',
      `The artifact is ${mediaType}, which cannot be printed at a terminal. Write it to a file with -o FILE.`,
    );
  environment.print(printable(text));
}

function writeNewFile(environment: Environment, path: string, bytes: Uint8Array): void {
  try {
    writeFileSync(environment.path(path), bytes, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new ExecutorError('usage', `${path} already exists. Choose another file, or remove it.`);
    throw new ExecutorError('usage', `${path} cannot be written: ${(error as Error).message}`);
  }
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
