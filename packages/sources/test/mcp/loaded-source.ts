import {
  type Answer,
  type Auth,
  type CallLogLine,
  type CallProgress,
  ChunkCache,
  type Invocation,
  type InvocationOutcome,
  type NewArtifact,
  type Question,
  type Source,
  type SourceSettings,
  type Tool,
  ToolPack,
} from '@executor/engine';

const sourceId = 'src_test';

/** A source that was loaded, and what its calls reported. */
export async function loadMcp(
  source: Source,
  settings: SourceSettings,
  { auth, previous }: { auth?: Auth; previous?: Tool[] } = {},
) {
  const context = {
    sourceId,
    namespace: 'test',
    signal: AbortSignal.timeout(60_000),
    ...(auth && { auth }),
    ...(previous && { previous }),
  };
  const loaded = await source.load(settings, context);
  const pack = await ToolPack.open(loaded.tools, new ChunkCache());
  const progress: CallProgress[] = [];
  const logs: CallLogLine[] = [];
  const artifacts: NewArtifact[] = [];
  const questions: Question[] = [];
  const answers: Answer[] = [];
  const tools = [...pack.rows()].map(({ path }) => find(path));
  function find(path: string): Tool {
    const { definitions: _, ...tool } = pack.find(path) ?? missing(path);
    return tool;
  }
  const invocationOf = (name: string, input: unknown): Invocation => ({
    tool: find(`test.${name}`),
    input,
    settings,
    sourceId,
    auth: auth ?? {},
    call: { workspaceId: 'ws', executionId: 'exe', index: 0, attempt: 1, id: 'exe.0' },
    async ask(question) {
      questions.push(question);
      return answers.shift() ?? { type: 'cancelled' };
    },
    progress: (one) => void progress.push(one),
    log: (line) => void logs.push(line),
    async putArtifact(artifact) {
      artifacts.push(artifact);
      return {
        artifactId: `art_${artifacts.length}`,
        mediaType: artifact.mediaType,
        bytes: artifact.bytes.length,
      };
    },
    readArtifact: async () => undefined,
    allowAnswer: async () => {},
  });
  const call = (
    name: string,
    input: unknown = {},
    { signal = AbortSignal.timeout(60_000), ...more }: Partial<Invocation> & { signal?: AbortSignal } = {},
  ): Promise<InvocationOutcome> => source.invoke({ ...invocationOf(name, input), ...more }, signal);
  return { loaded, tools, find, call, progress, logs, artifacts, questions, answers };
}

function missing(path: string): never {
  throw new RangeError(`There is no ${path}.`);
}
