import { ExecutorError } from '@executor/protocol';
import { packTools } from '../src/catalog/tool-pack.ts';
import type {
  Invocation,
  InvocationOutcome,
  LoadContext,
  LoadedSource,
  Source,
  SourceCall,
  SourceLogLine,
  SourceSettings,
  TimeLimits,
  Tool,
} from '../src/ports/source.ts';

type Behaviour = (invocation: Invocation, signal: AbortSignal) => Promise<InvocationOutcome>;

/**
 * A kind of system without a document that uses every optional capability of the port: settings of its own, connections that calls share,
 * changes at run time, reports, questions and a log. `command` starts it on this machine, so only people may add it.
 */
export class DockSource implements Source {
  readonly kind = 'dock';
  readonly secretSettings = ['env'];
  readonly describesItself = true;
  /** The names of its tools. */
  readonly names = ['list', 'ship'];
  readonly loads: { settings: SourceSettings; context: LoadContext }[] = [];
  readonly received: Invocation[] = [];
  /** The open connections, by id of the source. */
  readonly open = new Set<string>();
  readonly released: string[] = [];
  isClosed = false;
  /** Behaviours of tools by name. */
  readonly instead = new Map<string, Behaviour>();
  limits: TimeLimits | undefined;
  notify = (_sourceId: string) => {};

  checkSettings({ command, url, env: _, ...others }: SourceSettings): void {
    const [unknown] = Object.keys(others).filter(
      (name) => !['allowPrivateNetwork', 'timeoutMs'].includes(name),
    );
    if (unknown !== undefined) throw new ExecutorError('invalidRequest', `A dock has no setting ${unknown}.`);
    if ((command === undefined) === (url === undefined))
      throw new ExecutorError('invalidRequest', 'A dock has either a command or a url.');
  }

  onlyForPeople({ command, url }: SourceSettings): string | undefined {
    return command === undefined && !url?.includes('//local.') ? undefined : 'It runs on this machine.';
  }

  onChange(listener: (sourceId: string) => void): void {
    this.notify = listener;
  }

  movesCalls(before: SourceSettings, after: SourceSettings): boolean {
    return before.url !== after.url;
  }

  async load(settings: SourceSettings, context: LoadContext): Promise<LoadedSource> {
    this.loads.push({ settings, context });
    this.open.add(context.sourceId);
    if (settings.url?.includes('other')) throw new ExecutorError('unusableDocument', 'It is no dock.');
    return {
      title: 'Dock',
      description: 'Ships parcels. Call `list` first.',
      ...(settings.url !== undefined && { baseUrl: settings.url }),
      tools: packTools(this.names.map((name) => toolOf(`${context.namespace}.${name}`, name))),
      warnings: [],
    };
  }

  preview({ tool, input }: SourceCall) {
    return { operation: tool.origin.name, input };
  }

  timeLimits() {
    return this.limits;
  }

  async invoke(invocation: Invocation, signal: AbortSignal): Promise<InvocationOutcome> {
    this.received.push(invocation);
    this.open.add(invocation.sourceId);
    const behaviour = this.instead.get(String(invocation.tool.origin.name));
    return behaviour?.(invocation, signal) ?? { type: 'value', value: 'done' };
  }

  async release(sourceId: string): Promise<void> {
    this.released.push(sourceId);
    this.open.delete(sourceId);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.open.clear();
  }

  logs(sourceId: string): SourceLogLine[] {
    return [{ at: new Date(0), text: `started for ${sourceId}` }];
  }
}

function toolOf(path: string, name: string): Tool {
  const isRead = name !== 'ship';
  return {
    path,
    description: `${name} of the dock`,
    effect: isRead ? 'read' : 'write',
    repeatable: isRead,
    version: '1',
    origin: { name },
    inputSchema: { type: 'object', properties: {} },
  };
}
