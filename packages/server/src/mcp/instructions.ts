import type { Engine } from '@executor/engine';
import { ExecutorError, type Principal } from '@executor/protocol';

const workflow = `Do work with \`execute\`: one script that finds tools, calls them and returns little.
1. Find: \`await tools.discover({ query, namespace? })\` finds tools by what you want to do, in a sentence, several needs at once: \`{ bestPath, results: [{ path, description, signature, approval }], hint }\`; \`approval\` says which ones a person must approve. \`tools.describe.tool({ path })\` tells all of one, \`tools.describe.namespace({ path })\` lists.
2. Call: \`await tools.NAMESPACE.…(input)\`, one object as input. A wrong path or input fails before anything is sent and says what is right. Catch \`ToolError\` and \`ToolDeniedError\`.
3. Filter and sum up in the code, and return only what you need. Keep what is large with \`tools.executor.artifacts.put({ text })\`.
There is no fetch, no files, no imports. Runs last: when the answer is \`waiting\`, give your user the url and the prompt, then call \`resume\`; do not run the code again. You cannot approve.`;

/** Together with the tools, what a client shows its model from the start is to stay under 3,600 characters. */
const maxSourceCharacters = 1_000;

/** How to work here, and what there is to work with. */
export async function instructionsFor(engine: Engine, principal: Principal): Promise<string> {
  const rows = await engine.catalog.rows(principal.workspaceId);
  const outlook = await engine.policies.outlook(principal);
  const sources: string[] = [];
  for (const { namespace, toolCount } of rows) {
    // Looking at every tool of every source would take longer than an agent waits for its first answer.
    const isSuspect = ['x', 'x.x'].some((rest) => {
      return outlook({ path: `${namespace}.${rest}`, effect: 'read' }) === 'deny';
    });
    if (isSuspect && !(await hasTools(engine, principal, namespace))) continue;
    sources.push(`${namespace} (${toolCount})`);
  }
  return `${workflow}\n${sourceList(sources)}`;
}

/** Of what is denied an agent learns nothing: where that is all, not even that it is connected. */
async function hasTools({ descriptions }: Engine, principal: Principal, path: string): Promise<boolean> {
  try {
    await descriptions.namespace(principal, { path, limit: 1 });
    return true;
  } catch (error) {
    if (error instanceof ExecutorError && error.code === 'notFound') return false;
    throw error;
  }
}

function sourceList(sources: string[]): string {
  if (sources.length === 0) return 'No system is connected yet; a person can run `executor sources add`.';
  const shown: string[] = [];
  let length = 0;
  for (const source of sources) {
    length += source.length + 2;
    if (length > maxSourceCharacters) break;
    shown.push(source);
  }
  const more = sources.length - shown.length;
  const rest = more > 0 ? `, and ${more} more: tools.executor.sources.list({})` : '';
  return `Namespaces (tools): ${shown.join(', ')}${rest}.`;
}
