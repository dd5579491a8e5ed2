import { createEmbedder } from '../src/index.ts';

/** A process with a model. It prints the pid of the model's process, and goes on until it is killed. */
const [, , folder = '', modelFolder = ''] = process.argv;
const embedder = createEmbedder({ model: 'minilm', folder, modelFolder, onProblem: () => {} });
await embedder.embed(['a text'], { type: 'request', owner: 'key', waitMs: 120_000 });
console.log(embedder.pid);
setInterval(() => {}, 60_000);
