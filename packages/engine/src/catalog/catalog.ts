import { nearest } from '@executor/protocol';
import type { Source, SourceSettings, Tool } from '../ports/source.ts';
import { ChunkCache } from './chunk-cache.ts';
import { ToolPack } from './tool-pack.ts';

/** A source under the name that its tools begin with. */
export interface ConnectedSource {
  namespace: string;
  source: Source;
  settings: SourceSettings;
}

export interface FoundTool {
  tool: Tool;
  source: Source;
  settings: SourceSettings;
}

/** All tools by their paths. */
export class Catalog {
  readonly #cache = new ChunkCache();
  readonly #connected = new Map<string, ConnectedSource & { pack: ToolPack }>();

  async connect(connected: ConnectedSource, signal: AbortSignal): Promise<void> {
    const { namespace, source, settings } = connected;
    const { tools } = await source.load(settings, { namespace, signal });
    const pack = await ToolPack.open(tools, this.#cache);
    for (const { path } of pack.rows()) {
      if (!path.startsWith(`${namespace}.`))
        throw new RangeError(`The source ${namespace} has a tool of another name: ${path}.`);
    }
    this.#connected.set(namespace, { ...connected, pack });
  }

  find(_workspaceId: string, path: string): FoundTool | undefined {
    const connected = this.#connected.get(path.split('.', 1)[0] ?? '');
    const tool = connected?.pack.find(path);
    return connected && tool && { tool, source: connected.source, settings: connected.settings };
  }

  /** The path that was probably meant. */
  nearest(_workspaceId: string, path: string): string | undefined {
    const paths = [...this.#connected.values()].flatMap(({ pack }) =>
      [...pack.rows()].map((row) => row.path),
    );
    return nearest(path, paths);
  }
}
