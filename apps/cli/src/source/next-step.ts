import type { Client } from '@executor/client';
import { printable, type Source, type Tool, type ToolSummary } from '@executor/protocol';
import { credentialCommand, hasNoServer } from './describe.ts';

/** How many tools are checked to find one that can be called. */
const maxExamined = 12;

/** The next step for a new source: a line with a command that works unchanged. */
export async function nextStep(client: Client, source: Source): Promise<string> {
  const { namespace, baseUrl, origins } = source;
  if (baseUrl === undefined && origins.length === 0 && !hasNoServer(source))
    return `Next, set the address of its server: executor sources edit ${namespace} --base-url URL`;
  const reads = await readsOf(client, source);
  const ready = reads.find((tool) => tool.auth.state !== 'missing' && requiredFields(tool).length === 0);
  if (ready) return printable(`Try: executor tools call ${ready.path}`);
  const command = credentialCommand(source);
  if (command !== undefined && reads.every(({ auth }) => auth.state === 'missing'))
    return `Next, set its credentials: ${command}`;
  const [first] = reads;
  if (first === undefined) return `See its tools: executor tools ls ${namespace}`;
  return printable(`See the input of a tool: executor tools describe ${first.path}`);
}

/** The first tools that only read and need no approval, the ones with the fewest required fields first. */
async function readsOf(client: Client, { namespace }: Source): Promise<Tool[]> {
  const { items } = await client.sources.tools({ id: namespace, limit: 200 });
  const reads = items.filter(isFreeRead).slice(0, maxExamined);
  const tools = await Promise.all(reads.map(({ path }) => client.tools.get({ path })));
  return tools.sort((one, other) => requiredFields(one).length - requiredFields(other).length);
}

function isFreeRead({ effect, approval, deprecated }: ToolSummary): boolean {
  return effect === 'read' && approval === 'allow' && deprecated !== true;
}

function requiredFields({ inputSchema }: Tool): unknown[] {
  const isObject = typeof inputSchema === 'object';
  return isObject && Array.isArray(inputSchema.required) ? inputSchema.required : [];
}
