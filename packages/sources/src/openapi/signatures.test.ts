import { declarationOf, exampleOf, signatureOf, type Tool, type ToolPack } from '@executor/engine';
import { beforeAll, expect, test } from 'vitest';
import { typeScriptErrors } from '../../../engine/test/typescript.ts';
import { examples, exampleTools, githubTools } from '../../test/examples.ts';

/** The tools of GitHub and of all examples. */
const documents = new Map<string, ToolPack>();

beforeAll(async () => {
  for (const example of examples().filter(({ path }) => path.endsWith('.json')))
    documents.set(example.path, await exampleTools(example));
  documents.set('GitHub', await githubTools());
});

/** The long run checks every tool. */
const step = process.env.EXECUTOR_TEST_LONG === '1' ? 1 : 4;

/** Every `step`th tool, so that each document has at least one. */
function* sampledTools(): Generator<[name: string, tool: Tool]> {
  for (const [document, pack] of documents)
    for (const [index, path] of [...pack.paths()].entries())
      if (index % step === 0) yield [`${document} ${path}`, pack.find(path) as Tool];
}

test('signatures are short and parse, as a type and as a program, at every depth', async () => {
  const texts: string[] = [];
  let count = 0;
  for (const [name, tool] of sampledTools()) {
    const signature = signatureOf(tool);
    expect(signature.length, name).toBeLessThan(1_500);
    texts.push(signature, `type Signature = ${signature}`);
    if (count++ % step > 0) continue;
    for (const options of [{ depth: 1 }, { depth: 5 }, { maxChars: 300 }]) {
      const other = signatureOf(tool, options);
      expect(other.length, name).toBeLessThanOrEqual(options.maxChars ?? 40_000);
      texts.push(other);
    }
  }
  expect(count).toBeGreaterThan(1_223 / step);
  expect(await typeScriptErrors({ 'all.ts': inBlocks(texts) })).toEqual([]);
}, 60_000);

/** TypeScript reads one file faster than thousands. */
function inBlocks(texts: string[]): string {
  return texts.map((text) => `{\n${text}\n}`).join('\n');
}

test("the signature of GitHub's tool to create an issue is complete and within the limit", () => {
  const signature = signatureOf(documents.get('GitHub')?.find('api.issues.create') as Tool);
  expect(signature.length).toBeLessThan(1_500);
  for (const part of [
    'owner: string;',
    'title: string | number;',
    'labels?: (string | { id?: number;',
    'number: number;',
  ])
    expect(signature).toContain(part);
});

test('examples typecheck against the exact type of their tools', async () => {
  const parts: string[] = [];
  for (const [, tool] of sampledTools()) {
    const { type, types } = declarationOf(tool, { prefix: 'T', anyOutput: true });
    const [, ...segments] = tool.path.split('.');
    const tools = segments.reduceRight((inner, segment) => `{ ${segment}: ${inner} }`, type);
    parts.push(
      `namespace N${parts.length} {\n${types.join('\n')}\ndeclare const tools: { api: ${tools} };\nexport async function run() { ${exampleOf(tool)}; }\n}`,
    );
  }
  expect(parts.length).toBeGreaterThan(1_223 / step);
  expect(await typeScriptErrors({ 'all.ts': parts.join('\n') }, { types: true })).toEqual([]);
}, 60_000);
