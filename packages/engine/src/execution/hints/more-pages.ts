import { isObject } from './outline.ts';
import type { RunResults } from './run-results.ts';

const maxSentences = 3;
/** Reading this much takes well under a millisecond. A longer page is read up to here. */
const maxChars = 64 * 1024;
/** Reading this much takes some milliseconds. A run with more gets no hint. */
const maxCharsOfRun = 1024 * 1024;

const cursor =
  /"(next_?cursor|next_?page_?token|next_?token|continuation_?token|next_?page|end_?cursor)":("(?:[^"\\]|\\.){1,2000}"|[1-9]\d*)/i;
const flag = /"(has_?more|has_?next_?page|has_?next|more)":true/i;
const total = /"(total(?:_?(?:count|items|results|records))?)":(\d+)/i;

/** Says which tools have more pages than the code read. Silent if any call of a tool got its last page. */
export function morePagesHints({ all }: RunResults): string[] {
  const pages = new Map<string, { sentence: string | undefined }>();
  let left = maxCharsOfRun;
  for (const { path, json, hasNext } of all) {
    const known = pages.get(path);
    if (known && known.sentence === undefined) continue;
    left -= Math.min(json.length, maxChars);
    if (left < 0) return [];
    pages.set(path, { sentence: hasNext ? byLink(path) : byFields(path, json) });
  }
  return [...pages.values()].flatMap(({ sentence }) => sentence ?? []).slice(0, maxSentences);
}

function byLink(path: string): string {
  return `${path} has more pages. Pass \`$response: "full"\`, and call it again with \`links.next.input\` while there is one.`;
}

function byFields(path: string, json: string): string | undefined {
  if (!/^[[{]/.test(json)) return undefined;
  const text = json.length > maxChars ? json.slice(0, maxChars) : json;
  if (text.startsWith('{"status":') && text.includes('"links":{"next":')) return byLink(path);
  const isMore = flag.exec(text)?.[1];
  const [, name] = cursor.exec(text) ?? [];
  const isLast = /"(?:has_?more|has_?next_?page|has_?next)":false/i.test(text);
  if (name !== undefined && !isLast) return `${path} has more pages. The next one starts at its \`${name}\`.`;
  if (isMore !== undefined) return `${path} has more pages: its \`${isMore}\` is true.`;
  return byTotal(path, json);
}

/** A total is at the top of an answer, beside the only list. */
function byTotal(path: string, json: string): string | undefined {
  if (json.length > maxChars || !total.test(json)) return undefined;
  const value: unknown = JSON.parse(json);
  if (!isObject(value)) return undefined;
  // An order has a total and a list of lines, and is no page.
  if (Object.hasOwn(value, 'id')) return undefined;
  const [list, ...others] = Object.values(value).filter((field) => Array.isArray(field));
  const [name, count] = Object.entries(value).find(
    ([key, field]) => typeof field === 'number' && total.test(`"${key}":${field}`),
  ) ?? ['', 0];
  if (list === undefined || others.length > 0 || list.length === 0 || Number(count) <= list.length)
    return undefined;
  return `${path} has more pages: \`${name}\` is ${count}, and the page has ${list.length} items.`;
}
