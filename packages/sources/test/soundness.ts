import type { JsonSchema } from '@executor/engine';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ReadTool } from './read.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });

/** Faults that no tool may have, whatever its document contains. Each is a sentence. */
export function faultsOf(tools: ReadTool[], definition: (name: string) => JsonSchema | undefined): string[] {
  const faults: string[] = [];
  const checked = new Set<string>();
  const check = (where: string, schema: JsonSchema): void => {
    if (!ajv.validateSchema(schema)) faults.push(`${where}: ${ajv.errorsText()}`);
    for (const name of referencedBy(schema)) {
      if (checked.has(name)) continue;
      checked.add(name);
      const found = definition(name);
      if (found === undefined) faults.push(`${where}: no definition ${name}`);
      else check(`definition ${name}`, found);
    }
  };
  for (const tool of tools) {
    check(`${tool.path} input`, tool.inputSchema);
    if (tool.outputSchema !== undefined) check(`${tool.path} output`, tool.outputSchema);
    faults.push(...planFaults(tool));
  }
  if (new Set(tools.map(({ path }) => path)).size < tools.length)
    faults.push('Two tools have the same path.');
  return faults;
}

function planFaults({ path, description, plan, inputSchema }: ReadTool): string[] {
  const { properties } = inputSchema as { properties: Record<string, JsonSchema> };
  const bodyFields = plan.body?.from.type === 'fields' ? Object.keys(plan.body.from.fields) : [];
  const whole = plan.body?.from.type === 'field' ? [plan.body.from.field] : [];
  const files = plan.upload ? [plan.upload.field] : [];
  const fields = [...plan.parameters.map(({ field }) => field), ...bodyFields, ...whole, ...files];
  const placeholders = [...plan.path.matchAll(/\{([^{}/]+)\}/g)].map(([, name]) => name);
  const inPath = plan.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  return [
    ...(new Set(fields).size < fields.length ? [`${path}: a field is sent twice`] : []),
    ...(fields.toSorted().join() !== Object.keys(properties).toSorted().join()
      ? [`${path}: fields ${fields} are not ${Object.keys(properties)}`]
      : []),
    ...placeholders
      .filter((name) => !inPath.includes(name as string))
      .map((name) => `${path}: no parameter fills {${name}}`),
    ...(path.split('.').every((segment) => /^[A-Za-z_$][\w$]*$/.test(segment))
      ? []
      : [`${path} is not a path of identifiers`]),
    ...(description === '' ? [`${path} has no description`] : []),
  ];
}

function referencedBy(schema: unknown): string[] {
  const names: string[] = [];
  const open = [schema];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref === 'string') names.push($ref.replace('#/$defs/', ''));
    for (const [key, child] of Object.entries(value)) {
      // Values may look like schemas.
      if (!['default', 'enum', 'const'].includes(key)) open.push(child ?? false);
    }
  }
  return names;
}
