import { fileURLToPath } from 'node:url';
import { installModel, isModelInstalled, modelFolder } from '@executor/home';

/** An installation that keeps nothing but the language model, for tests and benchmarks. */
const home = fileURLToPath(new URL('../node_modules/.cache/executor/model', import.meta.url));

/** The folder of the language model. */
export const testModelFolder = modelFolder({ home }, 'minilm');

/** Installs the language model, once, as the product does. */
export async function ensureModel(): Promise<void> {
  const folders = { home, data: home, config: home, logs: home, run: home };
  const onProgress = (sentence: string) => console.log(`The language model of the tests: ${sentence}`);
  await installModel(folders, 'minilm', { env: process.env, onProgress });
}

export function hasModel(): boolean {
  return isModelInstalled(testModelFolder, 'minilm');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await ensureModel();
