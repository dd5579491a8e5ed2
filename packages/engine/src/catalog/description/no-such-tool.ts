import { insteadOf } from './invented-tool.ts';
import type { NearTools } from './nearest-tools.ts';

/**
 * The message for a path without a tool, with suggestions. After a call they are code with signatures. After a question
 * about the tool they are paths only.
 */
export function noSuchTool(path: string, { tools, below }: NearTools, { wasCalled = true } = {}): string {
  const shown = path.slice(0, 200);
  if (below > tools.length) {
    const list = `tools.describe.namespace({ path: ${JSON.stringify(shown)} }) lists them.`;
    return `There is no tool ${shown}: it is a namespace of ${below} tools. ${list}`;
  }
  const instead = insteadOf(path);
  if (instead !== undefined) return `There is no tool ${shown}. ${instead}`;
  const names = tools.map((tool) => (wasCalled ? `tools.${tool.path}` : tool.path));
  const [last, ...first] = names.toReversed();
  const hint =
    last === undefined
      ? 'tools.discover({ query }) finds tools by what they do, tools.describe.namespace({ path }) lists them.'
      : `Did you mean ${first.length > 0 ? `${first.toReversed().join(', ')} or ` : ''}${last}?`;
  const signatures = wasCalled ? tools.map((tool) => `\ntools.${tool.path}: ${tool.signature}`) : [];
  return `There is no tool ${shown}. ${hint}${signatures.join('')}`;
}
