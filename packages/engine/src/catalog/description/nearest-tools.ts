import type { Catalog } from '../catalog.ts';
import type { Discovery } from '../discovery/discovery.ts';
import { wordsIn } from '../nearest-paths.ts';
import type { CatalogRow } from '../opened-source.ts';
import { signatureOf } from '../signature/signature.ts';
import type { ApprovalOf, Reader } from './known-tools.ts';

interface NearTool {
  path: string;
  signature: string;
}

export interface NearTools {
  /** The tools that were probably meant, the likeliest first. */
  tools: NearTool[];
  /** How many tools are below the path, where it is a namespace. */
  below: number;
}

interface Parts {
  catalog: Pick<Catalog, 'seek' | 'source' | 'nearest' | 'nearestNamespace'>;
  discovery: Pick<Discovery, 'discover'>;
  approvalOf: ApprovalOf;
}

/** How many tools are suggested instead of an unknown one, and how long each signature may be. */
const most = 3;
const maxChars = 400;
/** A hint is not waited for longer: a source that was just added may have no index yet. */
const searchMs = 1_000;
/** Of what was found for a path's words, what comes so near to the best that it may be meant as well. */
const minShare = 0.7;

/**
 * What is below a namespace that was called as if it were a tool; otherwise what differs by a slip, then what does what the words of the
 * path say, then what is made of the same words. Nothing that the reader must not know of.
 */
export async function nearestTools(reader: Reader, path: string, parts: Parts): Promise<NearTools> {
  const below = await pathsBelow(reader, path, parts);
  if (below.length > most) return { tools: [], below: below.length };
  if (below.length > 0) return { tools: await withSignatures(reader, below, parts), below: below.length };
  const isKnown = (tool: CatalogRow) => parts.approvalOf(tool) !== undefined;
  const { slips, alike } = await parts.catalog.nearest(reader.workspaceId, path, isKnown);
  const meant = slips.length > 0 ? [] : await searched(reader, path, parts);
  const candidates = new Set([...slips, ...meant, ...alike]);
  candidates.delete(path);
  return { tools: await withSignatures(reader, candidates, parts), below: 0 };
}

async function pathsBelow(
  { workspaceId }: Reader,
  path: string,
  { catalog, approvalOf }: Parts,
): Promise<string[]> {
  const source = await catalog.source(workspaceId, path.split('.', 1)[0] ?? '');
  const below = [...(source?.pack.paths() ?? [])].filter((one) => one.startsWith(`${path}.`));
  return below.filter((one) => {
    const row = source?.toolRow(one);
    return row && approvalOf(row) !== undefined;
  });
}

async function withSignatures(
  { workspaceId }: Reader,
  paths: Iterable<string>,
  { catalog, approvalOf }: Parts,
): Promise<NearTool[]> {
  const near: NearTool[] = [];
  for (const path of paths) {
    if (near.length >= most) break;
    const found = await catalog.seek(workspaceId, path);
    if (found === undefined || approvalOf(found.tool) === undefined) continue;
    near.push({ path, signature: signatureOf(found.tool, { maxChars }) });
  }
  return near;
}

/** In the source that was probably meant, or else in all: its name may have been left out. */
async function searched(reader: Reader, path: string, { catalog, discovery }: Parts): Promise<string[]> {
  const [first = '', ...rest] = path.split('.');
  const namespace = await catalog.nearestNamespace(reader.workspaceId, first);
  if (namespace === undefined) return search(reader, [first, ...rest], { discovery });
  const inside = await search(reader, rest, { discovery, namespace });
  return inside.length > 0 ? inside : search(reader, rest, { discovery });
}

async function search(
  reader: Reader,
  segments: string[],
  { discovery, namespace }: Pick<Parts, 'discovery'> & { namespace?: string },
): Promise<string[]> {
  const query = wordsIn(segments.join('.')).join(' ');
  if (query === '') return [];
  const asked = { query, namespace, limit: 5, explain: true };
  // Where the source has just gone away there is no hint, and nothing worse.
  const found = await within(
    searchMs,
    discovery.discover(reader, asked).catch(() => undefined),
  );
  // What only knows what another one needs was not meant.
  const direct = (found?.results ?? []).filter(({ provides }) => provides === undefined);
  const best = direct[0]?.why?.score ?? 0;
  return direct.filter(({ why }) => (why?.score ?? 0) >= best * minShare).map((tool) => tool.path);
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
