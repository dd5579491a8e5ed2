import { describe, expect, test } from 'vitest';
import { ChunkCache } from '../catalog/chunk-cache.ts';
import { ToolPack } from '../catalog/tool-pack.ts';
import type { Invocation, Source, SourceSettings, Tool } from './source.ts';

/** The facts about a source that the suite needs. */
export interface SourceFixture {
  open(): Promise<Source>;
  namespace: string;
  settings: SourceSettings;
  /** A read-only call that succeeds. */
  works: { path: string; input: unknown };
  /** A call that the other system rejects, if there is one. */
  refused?: { path: string; input: unknown };
  /** A call that never ends, if there is one. */
  endless?: { path: string; input: unknown };
}

/** The contract of every source. */
export function describeSource(name: string, fixture: SourceFixture): void {
  describe(`The source ${name}`, () => {
    const signal = new AbortController().signal;
    const sourceId = 'src_suite';
    const load = async () => {
      const source = await fixture.open();
      const { tools } = await source.load(fixture.settings, {
        sourceId,
        namespace: fixture.namespace,
        signal,
      });
      const pack = await ToolPack.open(tools, new ChunkCache());
      const loaded = { tools: [...pack.rows()].map(({ path }) => find(path)) };
      function find(path: string): Tool {
        const tool = pack.find(path);
        if (tool === undefined) throw new RangeError(`There is no ${path}.`);
        return tool;
      }
      return { source, loaded, find };
    };

    test('loads tools whose paths are unique identifiers under its namespace', async () => {
      const { loaded } = await load();
      const paths = loaded.tools.map(({ path }) => path);
      expect(paths.length).toBeGreaterThan(0);
      expect(new Set(paths).size).toBe(paths.length);
      for (const path of paths) {
        expect(path.startsWith(`${fixture.namespace}.`)).toBe(true);
        for (const segment of path.split('.')) expect(segment).toMatch(/^[A-Za-z_$][\w$]*$/);
      }
    });

    test('describes each tool completely, in plain JSON', async () => {
      const { loaded } = await load();
      for (const { definitions: _, ...tool } of loaded.tools) {
        expect(tool.description).not.toBe('');
        expect(tool.version).not.toBe('');
        expect(['read', 'write', 'destructive']).toContain(tool.effect);
        expect(JSON.parse(JSON.stringify(tool))).toEqual(tool);
      }
    });

    test('assigns the same version to the same tool on every load', async () => {
      const [one, other] = [await load(), await load()];
      const versions = ({ loaded }: typeof one) => loaded.tools.map(({ path, version }) => [path, version]);
      expect(versions(one)).toEqual(versions(other));
    });

    test('previews a call as JSON without sending it', async () => {
      const { source, find } = await load();
      const { path, input } = fixture.works;
      const call = { tool: find(path), input, settings: fixture.settings };
      const preview = source.preview(call);
      expect(JSON.parse(JSON.stringify(preview))).toEqual(preview);
      expect(source.preview(call)).toEqual(preview);
    });

    test('returns the result of a call as JSON', async () => {
      const { source, find } = await load();
      const { path, input } = fixture.works;
      const outcome = await source.invoke(invocation(find(path), input, fixture.settings), signal);
      if (outcome.type === 'error') throw new Error(outcome.message);
      if (outcome.type === 'question') throw new Error(outcome.question.prompt);
      const json = outcome.type === 'json' ? outcome.json : JSON.stringify(outcome.value);
      const value: unknown = outcome.type === 'json' ? JSON.parse(outcome.json) : outcome.value;
      expect(JSON.parse(json)).toEqual(value);
    });

    const { refused, endless } = fixture;
    if (refused !== undefined)
      test('returns a rejection by the other system instead of throwing it', async () => {
        const { source, find } = await load();
        const call = invocation(find(refused.path), refused.input, fixture.settings);
        expect(await source.invoke(call, signal)).toMatchObject({
          type: 'error',
          message: expect.stringMatching(/./),
        });
      });

    if (endless !== undefined)
      test('ends a call when its signal is aborted', async () => {
        const { source, find } = await load();
        const end = new AbortController();
        const call = invocation(find(endless.path), endless.input, fixture.settings);
        const answered = source.invoke(call, end.signal).then(
          () => 'ended',
          () => 'ended',
        );
        end.abort();
        expect(await answered).toBe('ended');
      });

    test('accepts its own settings and rejects a setting that it does not know', async () => {
      const source = await fixture.open();
      if (source.checkSettings === undefined) return;
      source.checkSettings(fixture.settings);
      const wrong = { ...fixture.settings, noSuchSetting: true };
      expect(() => source.checkSettings?.(wrong)).toThrow(/noSuchSetting/);
    });

    test('works again after the connections of the source were closed', async () => {
      const { source, find } = await load();
      const { path, input } = fixture.works;
      await source.release?.(sourceId);
      await source.release?.('src_unknown');
      const outcome = await source.invoke(invocation(find(path), input, fixture.settings), signal);
      expect(outcome.type).not.toBe('error');
      await source.release?.(sourceId);
    });

    test('does not detect a system at a URL where nothing listens', async () => {
      const { source } = await load();
      expect(
        await source.detect?.('http://127.0.0.1:9/', { signal, allowPrivateNetwork: true }),
      ).toBeUndefined();
    });
  });
}

function invocation(tool: Tool, input: unknown, settings: SourceSettings): Invocation {
  return {
    tool,
    input,
    settings,
    sourceId: 'src_suite',
    auth: {},
    call: { workspaceId: 'ws_suite', executionId: 'exe_suite', index: 0, attempt: 1, id: 'exe_suite.0' },
    ask: () => Promise.reject(new Error('there is no reviewer')),
    progress() {},
    log() {},
    putArtifact: async ({ mediaType, bytes }) => ({
      artifactId: 'art_suite',
      mediaType,
      bytes: bytes.length,
    }),
    readArtifact: async () => undefined,
    allowAnswer: async () => {},
  };
}
