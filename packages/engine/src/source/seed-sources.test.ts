import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DockSource } from '../../test/dock-source.ts';
import { ShelfSource } from '../../test/shelf-source.ts';
import { TestEngine } from '../../test/test-engine.ts';
import type { DetectedSource, SourceSettings } from '../ports/source.ts';

/* The requests that documentation and configurations have used from the start must work unchanged. */

/** A kind `mcp` whose servers are all at `/mcp`. It records what it is asked. */
class ServerKind extends DockSource {
  override readonly kind = 'mcp' as never;
  readonly mustBeNamed = true;
  override readonly names = ['search', 'read'];
  readonly detected: string[] = [];

  override checkSettings(_: SourceSettings): void {}

  async detect(url: string): Promise<DetectedSource | undefined> {
    this.detected.push(url);
    return url.endsWith('/mcp') ? { settings: { url } } : undefined;
  }
}

const github =
  'https://raw.githubusercontent.com/github/rest-api-description/main/descriptions/api.github.com/api.github.com.json';

let host: TestEngine;
let servers: ServerKind;
let shelf: ShelfSource;
beforeEach(async () => {
  servers = new ServerKind();
  shelf = new ShelfSource();
  host = await TestEngine.start({ sourceKinds: [shelf, servers] });
  shelf.put(github, { title: 'GitHub v3 REST API', tools: [{ name: 'list' }] });
});
afterEach(() => host.close());

/** Runs code that waits for an approval, and approves it. */
async function approved(code: string) {
  const { id, status } = await host.run(code);
  expect(status).toBe('waiting');
  expect([servers.detected, servers.loads, shelf.loads]).toEqual([[], [], []]);
  const [question] = await host.asked(id);
  await host.answer(question?.id ?? '', { action: 'approve' });
  return { question, ended: await host.wait(id) };
}

describe('tools.executor.sources.add', () => {
  test('adds an endpoint of an unnamed kind, and asks nothing of it before it was approved', async () => {
    const { question, ended } = await approved(`return await tools.executor.sources.add({
      endpoint: "https://example.com/mcp",
      name: "Example",
      namespace: "example",
    });`);
    expect(JSON.stringify(question)).toContain('https://example.com/mcp');
    expect(ended.result).toMatchObject({
      namespace: 'example',
      name: 'Example',
      kind: 'mcp',
      url: 'https://example.com/mcp',
    });
    const tool = await host.run('return await tools.describe.tool({ path: "example.search" });');
    expect(tool.result).toMatchObject({ path: 'example.search' });
  });

  test('adds an API by its endpoint and the URL of its document', async () => {
    const { ended } = await approved(`return await tools.executor.sources.add({
      kind: "openapi",
      endpoint: "https://api.github.com",
      specUrl:
        "https://raw.githubusercontent.com/github/rest-api-description/main/descriptions/api.github.com/api.github.com.json",
      name: "GitHub",
      namespace: "github",
    });`);
    expect(ended.result).toMatchObject({
      namespace: 'github',
      name: 'GitHub',
      kind: 'openapi',
      url: github,
      origins: ['https://api.github.com'],
    });
    expect(servers.detected).toEqual([]);
  });

  test('does not take another system at the URL for a server', async () => {
    const { ended } = await approved(
      'return await tools.executor.sources.add({ endpoint: "https://example.com/soap", name: "Soap" });',
    );
    expect(ended.error?.message).toContain('Nothing is at https://example.com/soap.');
    expect(servers.loads).toEqual([]);
  });
});

test('EXECUTOR_TOOL_SOURCES connects a server, whose tools have no group, and a document', async () => {
  const spec = 'https://example.com/openapi.json';
  shelf.put(spec, { tools: [{ name: 'list' }] });
  const problems = await host.engine.connectConfigured([
    {
      type: 'mcp',
      name: 'answeroverflow',
      url: 'https://www.answeroverflow.com/mcp',
      defaultApproval: 'auto',
    },
    {
      type: 'openapi',
      name: 'billing',
      spec,
      baseUrl: 'https://api.example.com',
      defaultReadApproval: 'auto',
      defaultWriteApproval: 'required',
    },
  ]);
  expect(problems).toEqual([]);
  const { items } = await host.engine.sources.list(host.owner, { limit: 10 });
  expect(items).toMatchObject([
    { namespace: 'answeroverflow', kind: 'mcp', approval: { read: 'auto', write: 'auto' } },
    { namespace: 'billing', kind: 'openapi', origins: ['https://api.example.com'] },
  ]);
  const paths = async (namespace: string) =>
    (await host.engine.sources.tools(host.owner, namespace, { limit: 9 })).items.map(({ path }) => path);
  expect(await paths('answeroverflow')).toEqual(['answeroverflow.search', 'answeroverflow.read']);
  expect(await paths('billing')).toEqual(['billing.list']);
});
