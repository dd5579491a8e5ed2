import type { PolicyDecision, ToolSummary, Tool as ToolView } from '@executor/protocol';
import type { CatalogRow, CatalogTool } from '../../catalog/opened-source.ts';
import type { Definitions, JsonSchema } from '../../ports/source.ts';

export function toolSummary(row: CatalogRow, approval: PolicyDecision): ToolSummary {
  const { path, namespace, sourceId, description, effect, repeatable, origin } = row;
  return {
    path,
    namespace,
    sourceId,
    description,
    effect,
    repeatable,
    approval,
    origin,
    ...(row.deprecated && { deprecated: true }),
    ...(row.unseen && { unseen: true }),
    ...(row.suggestion && !row.edited && { suggestion: row.suggestion }),
    ...(row.edited && { edited: true }),
  };
}

export function toolView(
  tool: CatalogTool,
  approval: PolicyDecision,
): Omit<ToolView, 'signature' | 'example' | 'auth'> {
  const { inputSchema, outputSchema, definitions, security } = tool;
  return {
    ...toolSummary(tool, approval),
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(definitions && definitionsOf([inputSchema, outputSchema], definitions)),
    ...(security && { security }),
  };
}

/** Limits for definitions that reference each other throughout a document. */
const maxDefinitions = 400;
const maxChars = 1_000_000;

/** The definitions that the schemas reference directly or indirectly, nearest first, within the limits. */
function definitionsOf(
  schemas: (JsonSchema | undefined)[],
  definitions: Definitions,
): Pick<ToolView, 'definitions' | 'definitionsCut'> {
  const found = new Map<string, JsonSchema>();
  const wanted = new Set(schemas.flatMap((schema) => referencesIn(schema)));
  let chars = 0;
  for (const name of wanted) {
    const schema = definitions.get(name);
    if (schema === undefined) continue;
    chars += JSON.stringify(schema).length;
    if (found.size >= maxDefinitions || chars > maxChars)
      return { definitions: Object.fromEntries(found), definitionsCut: true };
    found.set(name, schema);
    for (const next of referencesIn(schema)) wanted.add(next);
  }
  return found.size > 0 ? { definitions: Object.fromEntries(found) } : {};
}

const referencePrefix = '#/$defs/';

function referencesIn(schema: JsonSchema | undefined): string[] {
  const names: string[] = [];
  const open: unknown[] = [schema];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, child] of Object.entries(value)) {
      if (key === '$ref' && typeof child === 'string' && child.startsWith(referencePrefix))
        names.push(nameIn(child));
      else open.push(child);
    }
  }
  return names;
}

function nameIn(reference: string): string {
  const token = reference.slice(referencePrefix.length).split('/')[0] ?? '';
  try {
    return decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return token;
  }
}
