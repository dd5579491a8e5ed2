import { loadModel } from './language-model.ts';
import type { FromModel, ToModel } from './messages.ts';

/**
 * The program that runs a language model: `node embedder.mjs FOLDER`, with an IPC channel to its parent. It is a
 * process of its own, because a model occupies its thread for a second at a time, and its memory never shrinks.
 */
const [, , folder = ''] = process.argv;

// The channel closes when the parent ends, in whatever way. It may have closed before this line.
process.on('disconnect', () => process.exit(0));
if (!process.connected) process.exit(0);

function send(message: FromModel): void {
  process.send?.(message);
}

try {
  const model = loadModel(folder);
  process.on('message', ({ id, texts }: ToModel) => {
    const vectors = texts.map((text) => model.vectorOf(text));
    send({ type: 'vectors', id, vectors, megabytes: process.memoryUsage.rss() / 1024 / 1024 });
  });
  send({ type: 'ready' });
} catch (error) {
  send({ type: 'unusable', reason: error instanceof Error ? error.message : String(error) });
}
