import type { VisibleSource } from './visible-sources.ts';

const workflow = `Do work with \`execute\`: one script that finds tools, calls them and returns a small result.
1. Find: \`await tools.discover({ query, namespace? })\` finds tools by intent. The query is a sentence and may name several needs. It returns \`{ bestPath, results: [{ path, description, signature, approval }], hint }\`; \`approval: "requireApproval"\` means that your user must approve the call. \`tools.describe.tool({ path })\` shows one tool in full, \`tools.describe.namespace({ path })\` lists tools.
2. Call: \`await tools.NAMESPACE.…(input)\` with one object as input. A wrong path or input fails before anything is sent, and the error shows what is right. Catch \`ToolError\` and \`ToolDeniedError\`. Tools of HTTP APIs also take \`$response: "full"\`, which gives \`{ status, headers, body, links, rateLimit }\`; \`links.next.input\` is the input for the next page.
3. Filter and aggregate in the code. Return only what you need. Store large data with \`tools.executor.artifacts.put({ text })\`.
The sandbox has no fetch, files or imports. Runs are durable: if the answer is \`waiting\`, give your user the prompt and the url, then call \`resume\`. Do not run the code again. You cannot approve calls.`;

/** Instructions and tool descriptions together stay under 3,600 characters, because every model session reads them. */
const maxSourceCharacters = 1_000;

/** How to use Executor, and which namespaces are connected. */
export function instructionsFor(sources: VisibleSource[]): string {
  return `${workflow}\n${sourceList(sources)}`;
}

function sourceList(sources: VisibleSource[]): string {
  if (sources.length === 0) return 'No system is connected yet. Your user can run `executor sources add`.';
  const shown: string[] = [];
  let length = 0;
  for (const { namespace, toolCount } of sources.filter(({ isUnconfirmed }) => !isUnconfirmed)) {
    const source = `${namespace} (${toolCount})`;
    length += source.length + 2;
    if (length > maxSourceCharacters) break;
    shown.push(source);
  }
  const more = sources.length - shown.length;
  const rest = more > 0 ? [`and ${more} more: tools.executor.sources.list({})`] : [];
  return `Namespaces (tools): ${[...shown, ...rest].join(', ')}.`;
}
