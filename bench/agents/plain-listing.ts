import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tool } from '@executor/engine';
import { readTools } from '../discovery/searched-set.ts';
import type { RunningService } from './services/fake-service.ts';

/** The tools of some services as a client lists them if each operation is an MCP tool with its schema. */
export async function plainListing(
  services: RunningService[],
): Promise<{ tools: number; characters: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'executor-plain-'));
  try {
    const listing = { tools: 0, characters: 0 };
    for (const { name, document } of services) {
      const file = join(folder, `${name}.json`);
      writeFileSync(file, document);
      const { sources } = await readTools(file);
      for (const tool of sources.flatMap(({ pack }) => [...pack.tools()])) {
        listing.tools += 1;
        listing.characters += JSON.stringify(listed(tool)).length;
      }
    }
    return listing;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** An MCP tool has one schema that stands alone, so the definitions that it uses are in it. */
function listed({ path, description, inputSchema, definitions }: Tool) {
  const $defs: Record<string, unknown> = {};
  const left = [inputSchema as unknown];
  for (let schema = left.pop(); schema !== undefined; schema = left.pop()) {
    for (const [, name = ''] of JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) {
      const definition = name in $defs ? undefined : definitions?.get(name);
      if (definition === undefined) continue;
      $defs[name] = definition;
      left.push(definition);
    }
  }
  const isPlain = Object.keys($defs).length === 0;
  const schema = isPlain || typeof inputSchema !== 'object' ? inputSchema : { ...inputSchema, $defs };
  return { name: path.replaceAll('.', '_'), description, inputSchema: schema };
}
