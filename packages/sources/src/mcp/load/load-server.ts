import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  type JsonSchema,
  type LoadContext,
  type LoadedSource,
  type SourceWarning,
  type Tool,
  ToolPacker,
} from '@executor/engine';
import { withoutDescriptions } from '../../schema/without-descriptions.ts';
import { plainText } from '../../text/plain-text.ts';
import type { Session } from '../connection/session.ts';
import type { McpPlan } from '../plan.ts';
import type { McpSettings } from '../settings.ts';
import { type ListedTools, listTools } from './list-tools.ts';
import { resourceTools } from './resource-tools.ts';
import { effectOf } from './tool-effect.ts';
import { nameTools } from './tool-names.ts';

const maxDescriptionChars = 1_000;
const maxInstructionChars = 4_000;
const maxWarnings = 200;

/** Reads the lists of a server. `ttlMs` is how long it says that they are valid. */
export async function loadServer(
  session: Session,
  settings: McpSettings,
  context: LoadContext,
): Promise<{ loaded: LoadedSource; ttlMs: number | undefined }> {
  const { client, route } = session;
  const warnings: SourceWarning[] = [];
  const warn = (place: string, message: string) => {
    if (warnings.length < maxWarnings) warnings.push({ place, message });
  };
  const capabilities = client.getServerCapabilities() ?? {};
  const listed: ListedTools = capabilities.tools
    ? await listTools(client, { ...context, warn })
    : { tools: [], ttlMs: undefined };
  const { namespace, previous = [] } = context;
  const offered = resourceTools(capabilities, namespace, route);
  const groups = [...new Set(offered.map(({ path }) => path.split('.')[1] ?? ''))];
  const names = listed.tools.map(({ name }) => name);
  const paths = nameTools(names, { namespace, previous, groups });
  const tools = listed.tools.map((tool) => ({ tool, path: paths.get(tool.name) ?? '' }));
  tools.sort((a, b) => (a.path < b.path ? -1 : 1));
  const packer = new ToolPacker();
  for (const tool of offered) packer.add(tool);
  for (const [index, { tool, path }] of tools.entries()) {
    packer.add(readTool(tool, path, route));
    if (index % 100 === 0) {
      context.onProgress?.({ stage: 'reading', done: index, total: tools.length });
      // Other requests are served in between.
      await setImmediate();
      context.signal.throwIfAborted();
    }
  }
  const info = client.getServerVersion();
  const title = info?.title ?? info?.name;
  const instructions = client.getInstructions();
  return {
    ttlMs: listed.ttlMs,
    loaded: {
      ...(title !== undefined && { title: plainText(title, 100) }),
      ...(instructions !== undefined && { description: plainText(instructions, maxInstructionChars) }),
      ...(settings.url !== undefined && { baseUrl: withoutQuery(settings.url) }),
      tools: packer.finish(),
      warnings,
    },
  };
}

function readTool(
  { name, title, description, inputSchema, outputSchema, annotations }: ListedTools['tools'][number],
  path: string,
  route: McpPlan['route'],
): Tool {
  const schema = { ...(typeof inputSchema === 'object' ? inputSchema : {}), type: 'object' };
  const effects = effectOf(annotations);
  const { effect, repeatable } = effects;
  const words = [description, title, Object(annotations).title].find(
    (text) => typeof text === 'string' && text.trim() !== '',
  );
  return {
    path,
    description: plainText(String(words ?? ''), maxDescriptionChars) || path.split('.').slice(1).join('.'),
    ...effects,
    version: hashOf([name, withoutDescriptions(schema), effect, repeatable, annotations ?? null]),
    origin: { name },
    inputSchema: schema,
    ...(outputSchema !== undefined && { outputSchema: outputSchema as JsonSchema }),
    plan: { method: 'tools/call', name, route } satisfies McpPlan,
  };
}

function hashOf(parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
