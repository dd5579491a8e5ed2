import { ChunkCache, declarationOf, exampleOf, signatureOf, type Tool, ToolPack } from '@executor/engine';
import { beforeAll, expect, test } from 'vitest';
import { typeScriptErrors } from '../../../engine/test/typescript.ts';
import { examples, githubDocument } from '../../test/examples.ts';
import { readDocument } from './reader/read-document.ts';

/** The tools of GitHub, and those of all documents that have every feature there is. */
const documents = new Map<string, ToolPack>();

beforeAll(async () => {
  for (const { path, bytes } of examples().filter((one) => one.path.endsWith('.json')))
    documents.set(path, await opened(bytes));
  documents.set('github', await opened(githubDocument()));
}, 60_000);

async function opened(bytes: Buffer): Promise<ToolPack> {
  const url = 'https://api.example.com/openapi.json';
  const { tools } = readDocument({
    bytes,
    url,
    namespace: 'api',
    previous: [],
    fetch: () => ({ refused: 'there is no network here' }),
  });
  return ToolPack.open(tools, new ChunkCache());
}

function* allTools(): Generator<[place: string, tool: Tool]> {
  for (const [document, pack] of documents)
    for (const path of pack.paths()) yield [`${document} ${path}`, pack.find(path) as Tool];
}

/** How many are passed over where each takes long. */
const step = process.env.EXECUTOR_TEST_LONG === '1' ? 1 : 10;

test('every signature is short and parses, as a type and as a program, at every depth', async () => {
  const texts: string[] = [];
  let count = 0;
  for (const [place, tool] of allTools()) {
    const signature = signatureOf(tool);
    expect(signature.length, place).toBeLessThan(1_500);
    texts.push(signature, `type Signature = ${signature}`);
    if (count++ % step > 0) continue;
    for (const options of [{ depth: 1 }, { depth: 5 }, { maxChars: 300 }]) {
      const other = signatureOf(tool, options);
      expect(other.length, place).toBeLessThanOrEqual(options.maxChars ?? 40_000);
      texts.push(other);
    }
  }
  expect(count).toBeGreaterThan(1_223);
  expect(await typeScriptErrors({ 'all.ts': inBlocks(texts) })).toEqual([]);
}, 60_000);

/** One file is read faster than thousands. */
function inBlocks(texts: string[]): string {
  return texts.map((text) => `{\n${text}\n}`).join('\n');
}

test("GitHub's way to create an issue is told in full, within its limit", () => {
  const signature = signatureOf(documents.get('github')?.find('api.issues.create') as Tool);
  expect(signature.length).toBeLessThan(1_500);
  for (const part of [
    'owner: string;',
    'title: string | number;',
    'labels?: (string | { id?: number;',
    'number: number;',
  ])
    expect(signature).toContain(part);
});

test('every example typechecks against the exact form of its tool', async () => {
  const parts: string[] = [];
  for (const [, tool] of allTools()) {
    const { type, types } = declarationOf(tool, { prefix: 'T', anyOutput: true });
    const [, ...segments] = tool.path.split('.');
    const tools = segments.reduceRight((inner, segment) => `{ ${segment}: ${inner} }`, type);
    parts.push(
      `namespace N${parts.length} {\n${types.join('\n')}\ndeclare const tools: { api: ${tools} };\nexport async function run() { ${exampleOf(tool)}; }\n}`,
    );
  }
  expect(parts.length).toBeGreaterThan(1_223);
  expect(await typeScriptErrors({ 'all.ts': parts.join('\n') }, { types: true })).toEqual([]);
}, 60_000);
