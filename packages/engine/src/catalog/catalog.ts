import { nearest } from '@executor/protocol';
import type { Source, SourceSettings, Tool } from '../ports/source.ts';

/** A source under the name that its tools begin with. */
export interface ConnectedSource {
  namespace: string;
  source: Source;
  settings: SourceSettings;
}

export interface FoundTool {
  tool: Tool;
  source: Source;
}

/** All tools by their paths. */
export class Catalog {
  readonly #tools = new Map<string, FoundTool>();

  async connect({ namespace, source, settings }: ConnectedSource, signal: AbortSignal): Promise<void> {
    const { tools } = await source.load(settings, signal);
    const stray = tools.find(({ path }) => !path.startsWith(`${namespace}.`));
    if (stray) throw new RangeError(`The source ${namespace} has a tool of another name: ${stray.path}.`);
    for (const [path] of this.#tools) if (path.startsWith(`${namespace}.`)) this.#tools.delete(path);
    for (const tool of tools) this.#tools.set(tool.path, { tool, source });
  }

  find(_workspaceId: string, path: string): FoundTool | undefined {
    return this.#tools.get(path);
  }

  /** The path that was probably meant. */
  nearest(_workspaceId: string, path: string): string | undefined {
    return nearest(path, [...this.#tools.keys()]);
  }
}
