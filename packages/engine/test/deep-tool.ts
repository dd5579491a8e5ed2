import { ToolPacker } from '../src/catalog/tool-pack.ts';
import type { JsonSchema, PackedTools, Tool } from '../src/ports/source.ts';

const levels = 20;
const width = 8;

/** Each object has eight fields of the next level, so that twenty levels have more fields than fit into any memory. */
function deepDefinitions(): Record<string, JsonSchema> {
  const definitions: Record<string, JsonSchema> = {};
  for (let level = 0; level <= levels; level++) {
    for (let number = 0; number < width; number++) {
      const description = 'A part of the report that somebody filed on the form for reports of its kind';
      const field = (next: number) =>
        level === levels ? { type: 'string' } : { description, $ref: `#/$defs/level-${level + 1}-${next}` };
      const fields = Array.from({ length: width }, (_, next) => [`field${next}`, field(next)]);
      definitions[`level-${level}-${number}`] = {
        type: 'object',
        description: `The report of level ${level}`,
        properties: Object.fromEntries(fields),
      };
    }
  }
  return definitions;
}

const root = (name: string): JsonSchema => ({
  type: 'object',
  required: ['value'],
  properties: { value: { $ref: `#/$defs/${name}` } },
});

/** The same as one schema, for sources without shared definitions. */
export const deepSchema = { ...(root('level-0-0') as object), $defs: deepDefinitions() };

/** A source whose tool has these types, with shared definitions. */
export function deepTools(path: string): PackedTools {
  const packer = new ToolPacker();
  for (const [name, schema] of Object.entries(deepDefinitions())) packer.define(name, schema);
  const tool: Tool = {
    path,
    description: 'Files a report',
    effect: 'read',
    repeatable: true,
    version: '1',
    origin: {},
    inputSchema: root('level-0-0'),
    outputSchema: root('level-0-1'),
  };
  packer.add(tool);
  return packer.finish();
}
