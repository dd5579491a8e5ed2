import { ChunkCache, type Invocation, type Source, type SourceSettings, ToolPack } from '@executor/engine';
import { readGraphQl } from '../../src/graphql/reader/read-graphql.ts';
import type { ReadDocument } from '../../src/openapi/reader/read-document.ts';

/** Reads a schema in this process and opens its tools. */
export async function readSchema(
  text: string,
  options: { namespace?: string; previous?: { path: string; origin: Record<string, unknown> }[] } = {},
): Promise<ReadDocument & { pack: ToolPack }> {
  const read = readGraphQl({ bytes: Buffer.from(text), namespace: 'api', previous: [], ...options });
  return { ...read, pack: await ToolPack.open(read.tools, new ChunkCache()) };
}

/** Calls tools of a source. */
export async function openCalls(source: Source, settings: SourceSettings, namespace = 'api') {
  const loaded = await source.load(settings, {
    sourceId: 'src',
    namespace,
    signal: AbortSignal.timeout(60_000),
  });
  const pack = await ToolPack.open(loaded.tools, new ChunkCache());
  const find = (path: string) => {
    const tool = pack.find(path);
    if (tool === undefined)
      throw new RangeError(`There is no ${path}. Tools: ${[...pack.paths()].join(', ')}`);
    return tool;
  };
  return {
    loaded,
    pack,
    find,
    preview: (path: string, input: unknown) => source.preview({ tool: find(path), input, settings }),
    check: (path: string, input: unknown) =>
      source.check?.(
        { tool: find(path), input, settings },
        { workspaceId: 'ws', hasArtifact: async () => false },
      ),
    async call(path: string, input: unknown, more: Partial<Invocation> & { signal?: AbortSignal } = {}) {
      const outcome = await source.invoke(
        {
          tool: find(path),
          input,
          settings,
          sourceId: 'src',
          auth: {},
          call: { workspaceId: 'ws', executionId: 'exe', index: 0, attempt: 1, id: 'exe.0' },
          ask: () => Promise.reject(new Error('There is no user.')),
          progress() {},
          log() {},
          putArtifact: async ({ mediaType, bytes }) => ({
            artifactId: 'art',
            mediaType,
            bytes: bytes.length,
          }),
          readArtifact: async () => undefined,
          allowAnswer: async () => {},
          ...more,
        },
        more.signal ?? AbortSignal.timeout(60_000),
      );
      return outcome.type === 'json'
        ? ({ type: 'value', value: JSON.parse(outcome.json) } as const)
        : outcome;
    },
  };
}
