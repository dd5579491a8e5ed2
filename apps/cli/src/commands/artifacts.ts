import { writeFileSync } from 'node:fs';
import { ExecutorError, printable } from '@executor/protocol';
import { connect } from '../connect.ts';
import { showText } from '../output.ts';

/** Writes the bytes of an artifact as they are. What is not text is not written to a terminal, which it could steer. */
export async function getArtifact(id: string, { output }: { output?: string }): Promise<void> {
  const client = await connect();
  const { bytes, mediaType } = await client.artifacts.get({ id });
  if (output !== undefined) {
    writeNewFile(output, bytes);
    showText(`${output}: ${bytes.length} bytes of ${mediaType}.`);
    return;
  }
  if (!process.stdout.isTTY) {
    await new Promise((resolve) => process.stdout.write(bytes, resolve));
    return;
  }
  const text = decoded(bytes);
  if (text === undefined)
    throw new ExecutorError(
      'usage',
      `The artifact is ${mediaType}, which is not for a terminal. Write it to a file: -o FILE.`,
    );
  console.log(printable(text));
}

function writeNewFile(path: string, bytes: Uint8Array): void {
  try {
    writeFileSync(path, bytes, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new ExecutorError('usage', `${path} is there already. Name another file, or remove it.`);
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
