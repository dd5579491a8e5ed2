import {
  type Clock,
  type LoadContext,
  type LoadedSource,
  type Source,
  type SourceSettings,
  systemClock,
} from '@executor/engine';
import { McpSettings as EnteredSettings, requireSettings } from '@executor/protocol';
import type { HttpClient } from '../http/http-client.ts';
import { linkLocalOf, refusedByReach } from '../http/reach.ts';
import { privateAddressSentence } from '../http/unreachable-error.ts';
import { callTool } from './call/call-tool.ts';
import { Freshness } from './connection/freshness.ts';
import { Sessions } from './connection/sessions.ts';
import { detectServer } from './detect-server.ts';
import { loadError } from './load/load-error.ts';
import { loadServer } from './load/load-server.ts';
import { previewCall } from './preview.ts';
import { type McpSettings, parseSettings } from './settings.ts';
import { SourceLogs } from './source-logs.ts';
import { type Confine, StdioServers } from './stdio/stdio-servers.ts';

export interface McpSourceOptions {
  http: HttpClient;
  /** Executor's version, which servers get. */
  version?: string;
  /** Keeps the programs of sources away from Executor's own files. */
  confine?: Confine;
  clock?: Pick<Clock, 'now' | 'after' | 'elapsed'>;
  /** How long a connection without calls stays open. */
  idleMs?: number;
}

const defaultIdleMs = 5 * 60_000;
/** A server must not keep a load busy with endless pages. */
const maxLoadMs = 5 * 60_000;

/** The source kind `mcp`: servers that speak the Model Context Protocol, at a URL or as a program on this machine. */
export function createMcpSource(options: McpSourceOptions): Source {
  const { http, version = '0', confine, clock = systemClock, idleMs = defaultIdleMs } = options;
  let notify = (_sourceId: string) => {};
  const logs = new SourceLogs(clock);
  const freshness = new Freshness(clock);
  const stdio = new StdioServers({ clock, confine });
  const sessions = new Sessions({
    http,
    stdio,
    version,
    clock,
    idleMs,
    onChange: (sourceId) => notify(sourceId),
    onLog: (sourceId, text) => logs.add(sourceId, text),
  });
  return {
    kind: 'mcp',
    secretSettings: ['env'],
    describesItself: true,
    mustBeNamed: true,
    checkSettings: (settings) => requireSettings('mcp', EnteredSettings, settings),
    onlyForPeople: ({ command }) =>
      command === undefined ? undefined : 'It starts a program on this machine.',
    loadsAgain: (before, after) => readSettings(before) !== readSettings(after),
    detect: (url, detectOptions) => detectServer(url, detectOptions, sessions),
    async load(settings, context) {
      const { loaded, ttlMs } = await load(parseSettings(settings), context, { sessions, logs });
      freshness.loaded(context.sourceId, ttlMs);
      return loaded;
    },
    onChange(listener) {
      notify = listener;
    },
    preview: previewCall,
    async check({ tool, settings }) {
      const { url, allowPrivateNetwork = false, allowThisMachine = false } = parseSettings(settings);
      if (url === undefined) return undefined;
      const network = { allowPrivateNetwork, allowThisMachine, linkLocal: linkLocalOf([url]) };
      const refused = refusedByReach(url, network);
      if (refused === undefined) return undefined;
      const message = privateAddressSentence(refused, tool.path.split('.')[0] ?? '');
      return { type: 'error', message, details: { code: 'privateAddress' } };
    },
    timeLimits: ({ settings: { timeoutMs } }) => (timeoutMs === undefined ? undefined : { timeoutMs }),
    async invoke(invocation, signal) {
      const outcome = await callTool(invocation, signal, {
        sessions,
        onStale: (sourceId, cause) =>
          (cause === 'invalidInput' || freshness.mayHaveChanged(sourceId)) && notify(sourceId),
      });
      if (freshness.isExpired(invocation.sourceId)) notify(invocation.sourceId);
      return outcome;
    },
    async release(sourceId) {
      stdio.forget(sourceId);
      await sessions.release(sourceId);
    },
    close: () => sessions.close(),
    logs: (sourceId) => logs.of(sourceId),
  };
}

/** The settings that decide which server answers. */
function readSettings({ timeoutMs: _, maxResponseBytes: __, ...settings }: SourceSettings): string {
  return JSON.stringify(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function load(
  settings: McpSettings,
  context: LoadContext,
  { sessions, logs }: { sessions: Sessions; logs: SourceLogs },
): Promise<{ loaded: LoadedSource; ttlMs: number | undefined }> {
  const { sourceId, signal, auth = {} } = context;
  context.onProgress?.({ stage: 'fetching' });
  try {
    const { session } = await sessions.acquire({ sourceId, settings, auth, signal });
    const scope = { fail() {} };
    session.enter(scope);
    try {
      const limit = AbortSignal.timeout(maxLoadMs);
      return await loadServer(session, settings, { ...context, signal: AbortSignal.any([signal, limit]) });
    } finally {
      session.leave(scope);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw loadError(error, settings, logs.of(sourceId));
  }
}
