import { JsonPointer, type Located } from '../../../document/json-pointer.ts';
import type { Document } from './document.ts';

interface Anchors {
  anchors: Map<string, Located>;
  ids: Map<string, Located>;
}

const maxNodes = 5_000_000;
const cache = new WeakMap<Document, Anchors>();

/** Index of `$anchor`, `$dynamicAnchor` and `$id` in a document. It is built at the first lookup. */
export function anchorsOf(document: Document): Anchors {
  const found = cache.get(document) ?? search(document);
  cache.set(document, found);
  return found;
}

function search(document: Document): Anchors {
  const found: Anchors = { anchors: new Map(), ids: new Map() };
  const open: Located[] = isContainer(document.root)
    ? [{ value: document.root, pointer: JsonPointer.root(document) }]
    : [];
  for (let visited = 0; visited < maxNodes; visited++) {
    const located = open.pop();
    if (located === undefined) break;
    const value = located.value as Record<string, unknown>;
    addAnchors(found, located, value);
    for (const key of Object.keys(value)) {
      const child = value[key];
      if (isContainer(child)) open.push({ value: child, pointer: located.pointer.at(key) });
    }
  }
  return found;
}

function addAnchors({ anchors, ids }: Anchors, located: Located, value: Record<string, unknown>): void {
  if (Array.isArray(value)) return;
  for (const keyword of ['$anchor', '$dynamicAnchor']) {
    const name = Object.hasOwn(value, keyword) ? value[keyword] : undefined;
    if (typeof name === 'string' && !anchors.has(name)) anchors.set(name, located);
  }
  const id = Object.hasOwn(value, '$id') ? value.$id : undefined;
  if (typeof id !== 'string') return;
  const address = id.replace(/#$/, '');
  if (address !== '' && !ids.has(address)) ids.set(address, located);
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
