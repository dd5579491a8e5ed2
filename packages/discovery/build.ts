import { copyFile, mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The vectors of words, in the repository. */
export const vectorsFile = fileURLToPath(new URL('vectors/words.bin', import.meta.url));

/** Copies the vectors into the product. */
export async function buildDiscovery(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await copyFile(vectorsFile, `${folder}/words.bin`);
}
