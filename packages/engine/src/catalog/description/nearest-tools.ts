import { Pace } from '../../resource/pace.ts';
import type { Catalog } from '../catalog.ts';
import type { ToolFinder } from '../discovery/tool-finder.ts';
import { wordsIn } from '../nearest-paths.ts';
import type { CatalogRow } from '../opened-source.ts';
import type { ToolPrinter } from '../signature/tool-printer.ts';
import type { ApprovalOf, Reader } from './known-tools.ts';

interface NearTool {
  path: string;
  signature: string;
}

/** A call of a path without a tool. `fields` are the names of the fields that the code passed. */
export interface WrongCall {
  path: string;
  fields?: readonly string[];
}

export interface NearTools {
  /** The tools that the caller probably meant, the most likely first. */
  tools: NearTool[];
  /** The number of tools below the path, if it is a namespace. */
  below: number;
}

interface Parts {
  catalog: Pick<Catalog, 'seek' | 'source' | 'nearest' | 'nearestNamespace'>;
  discovery: Pick<ToolFinder, 'discover'>;
  approvalOf: ApprovalOf;
  printer: ToolPrinter;
}

const maxTools = 3;
const maxSignatureChars = 400;
/** The maximum wait for a hint. A source that was just added may have no index yet. */
const searchMs = 1_000;
/** A result of the search is suggested if it has this share of the best score. */
const minScoreShare = 0.7;

/**
 * Suggests tools for an unknown path. If the path is a namespace, they are the tools below it. Otherwise they are paths
 * with a typing mistake, then results of a search for the words of the path, then paths of similar words. Tools that
 * the reader must not see are never suggested.
 */
export async function nearestTools(
  reader: Reader,
  { path, fields = [] }: WrongCall,
  parts: Parts,
): Promise<NearTools> {
  const below = await pathsBelow(reader, path, parts);
  if (below.length > maxTools) return { tools: [], below: below.length };
  if (below.length > 0) return { tools: await withSignatures(reader, below, parts), below: below.length };
  const isKnown = (tool: CatalogRow) => parts.approvalOf(tool) !== undefined;
  const { slips, alike } = await parts.catalog.nearest(reader.workspaceId, path, isKnown);
  const results = slips.length > 0 ? [] : await searchForPath(reader, path, parts);
  const candidates = new Set([...slips, ...results, ...alike]);
  candidates.delete(path);
  const ranked = await byFields(reader, [...candidates], { fields, catalog: parts.catalog });
  return { tools: await withSignatures(reader, ranked, parts), below: 0 };
}

/** Sorts tools by how well the fields of the call fit their inputs. Tools that fit equally well keep their order. */
async function byFields(
  { workspaceId }: Reader,
  paths: string[],
  { fields, catalog }: { fields: readonly string[]; catalog: Pick<Catalog, 'seek'> },
): Promise<string[]> {
  if (fields.length === 0) return paths;
  const fits = new Map<string, number>();
  for (const path of paths) {
    const schema = (await catalog.seek(workspaceId, path))?.tool.inputSchema;
    fits.set(path, fitOf(fields, typeof schema === 'object' ? schema : {}));
  }
  return paths.toSorted((one, other) => (fits.get(other) ?? 0) - (fits.get(one) ?? 0));
}

function fitOf(fields: readonly string[], { properties, required }: Record<string, unknown>): number {
  const known = Object.keys(typeof properties === 'object' && properties !== null ? properties : {});
  const needed = Array.isArray(required) ? required : [];
  const fitting = fields.filter((field) => known.includes(field)).length;
  const missing = needed.filter((field) => !fields.includes(field)).length;
  return fitting / fields.length - missing / (needed.length || 1);
}

async function pathsBelow(
  { workspaceId, meter }: Reader,
  path: string,
  { catalog, approvalOf }: Parts,
): Promise<string[]> {
  const source = await catalog.source(workspaceId, path.split('.', 1)[0] ?? '');
  const below: string[] = [];
  const pace = new Pace(meter);
  for (const one of source?.pack.paths() ?? []) {
    if (pace.isDue) await pace.rest();
    const row = one.startsWith(`${path}.`) ? source?.toolRow(one) : undefined;
    if (row && approvalOf(row) !== undefined) below.push(one);
  }
  pace.end();
  return below;
}

async function withSignatures(
  { workspaceId, meter }: Reader,
  paths: Iterable<string>,
  { catalog, approvalOf, printer }: Parts,
): Promise<NearTool[]> {
  const near: NearTool[] = [];
  for (const path of paths) {
    if (near.length >= maxTools) break;
    const found = await catalog.seek(workspaceId, path);
    if (found === undefined || approvalOf(found.tool) === undefined) continue;
    const { signature } = await printer.print(
      found.tool,
      { signature: { maxChars: maxSignatureChars } },
      meter,
    );
    near.push({ path, signature });
  }
  return near;
}

/** Searches the source with the nearest namespace, or else all sources, because the path may lack its namespace. */
async function searchForPath(reader: Reader, path: string, { catalog, discovery }: Parts): Promise<string[]> {
  const [first = '', ...others] = path.split('.');
  const namespace = await catalog.nearestNamespace(reader.workspaceId, first);
  if (namespace === undefined) return search(reader, [first, ...others], { discovery });
  const inside = await search(reader, others, { discovery, namespace });
  return inside.length > 0 ? inside : search(reader, others, { discovery });
}

async function search(
  reader: Reader,
  segments: string[],
  { discovery, namespace }: Pick<Parts, 'discovery'> & { namespace?: string },
): Promise<string[]> {
  const query = wordsIn(segments.join('.')).join(' ');
  if (query === '') return [];
  const request = { query, namespace, limit: 5, explain: true };
  // If the source was just removed, there is no hint.
  const found = await within(
    searchMs,
    discovery.discover(reader, request).catch(() => undefined),
  );
  const direct = found?.results ?? [];
  const best = direct[0]?.why?.score ?? 0;
  return direct.filter(({ why }) => (why?.score ?? 0) >= best * minScoreShare).map((tool) => tool.path);
}

async function within<Value>(ms: number, work: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
