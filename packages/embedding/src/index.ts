export { createEmbedder, type ProcessEmbedder } from './process-embedder.ts';
