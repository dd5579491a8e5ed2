import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ChunkCache, ToolPack } from '@executor/engine';
import { githubDocumentPath } from '../../../scripts/setup-documents.ts';
import { readDocument } from '../src/openapi/reader/read-document.ts';

const require = createRequire(import.meta.url);

export interface ExampleDocument {
  path: string;
  bytes: Buffer;
}

/** The documents of `@readme/oas-examples`, which cover every feature of OpenAPI. */
export function examples(): ExampleDocument[] {
  const root = dirname(require.resolve('@readme/oas-examples/package.json'));
  return readdirSync(root, { recursive: true })
    .map(String)
    .filter((path) => /^\d\.\d\/(json|yaml)\/[^/]+\.(json|yaml)$/.test(path))
    .sort()
    .map((path) => ({ path, bytes: readFileSync(join(root, path)) }));
}

/** GitHub's whole API: 13 MB. */
export function githubDocument(): Buffer {
  return readFileSync(githubDocumentPath);
}

const packs = new Map<string, Promise<ToolPack>>();

/** The tools of an example. Each document is read once per process, because several test files use it. */
export function exampleTools({ path, bytes }: ExampleDocument): Promise<ToolPack> {
  return readOnce(path, () => bytes);
}

export function githubTools(): Promise<ToolPack> {
  return readOnce('GitHub', githubDocument);
}

function readOnce(name: string, bytes: () => Buffer): Promise<ToolPack> {
  const pack = packs.get(name) ?? openTools(bytes());
  packs.set(name, pack);
  return pack;
}

/** Reads a document in this process. */
export async function openTools(bytes: Buffer): Promise<ToolPack> {
  const { tools } = readDocument({
    bytes,
    url: 'https://api.example.com/openapi.json',
    namespace: 'api',
    previous: [],
    fetch: () => ({ refused: 'there is no network here' }),
  });
  return ToolPack.open(tools, new ChunkCache());
}
