import type { NearTool } from './tool-descriptions.ts';

/** What to say of a path at which there is nothing, with what could be there instead. */
export function noSuchTool(path: string, near: NearTool[]): string {
  const names = near.map((tool) => `tools.${tool.path}`);
  const [last, ...first] = names.toReversed();
  const hint =
    last === undefined
      ? 'tools.discover({ query }) finds tools by what they do, tools.describe.namespace({ path }) lists them.'
      : `Did you mean ${first.length > 0 ? `${first.toReversed().join(', ')} or ` : ''}${last}?`;
  const signatures = near.map((tool) => `\ntools.${tool.path}: ${tool.signature}`);
  return `There is no tool ${path.slice(0, 200)}. ${hint}${signatures.join('')}`;
}
