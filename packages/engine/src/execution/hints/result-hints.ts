import { outlineOf } from './outline.ts';
import type { RunResults } from './run-results.ts';
import { valueHint } from './value-hint.ts';
import { membersOf, originOf } from './value-origin.ts';

interface Returned {
  json: string;
  code: string;
  hasLogs: boolean;
}

/** A longer result is not empty. */
const maxEmptyChars = 2_000;

/** Why a run that completed may have returned nothing. */
export async function emptyResultHint(
  { json, code, hasLogs }: Returned,
  results: RunResults,
): Promise<string | undefined> {
  const kind = emptyKind(json);
  const last = results.all.at(-1);
  if (kind === undefined || last === undefined || last.json === 'null') return undefined;
  if (!/\breturn\b/.test(code)) {
    return hasLogs
      ? undefined
      : 'The code returned nothing. End it with `return` and the value that you need.';
  }
  const about = await returnedHint(code, results);
  if (about !== undefined) return `${kind} ${about}`;
  const latest = await results.latest(2);
  return `${kind} The code got: ${latest.map(({ path, value }) => `${path}: ${outlineOf(value)}`).join('; ')}.`;
}

function emptyKind(json: string): string | undefined {
  if (json === 'null') return 'The code returned undefined or null.';
  if (json.length > maxEmptyChars || !/^\[(?:(?:null|\{\}),?)+\]$/.test(json)) return undefined;
  return json.includes('null')
    ? 'All returned items are undefined or null.'
    : 'All returned items lack their fields.';
}

const loop = String.raw`\s{0,40}\.\s{0,40}(?:map|flatMap)\(\s{0,40}\(?\s{0,40}([A-Za-z_$][\w$]*)\s{0,40}(?::[^=)]{1,60})?\)?\s{0,40}=>\s{0,40}\(?\s{0,40}(?:\{[^}]*?:\s{0,40})?\3((?:\s{0,40}[?!]?\.\s{0,40}[A-Za-z_$][\w$]*){1,12})`;
const chain = String.raw`([A-Za-z_$][\w$]*)((?:\s{0,40}[?!]?\.\s{0,40}[A-Za-z_$][\w$]*){0,12}?)`;
const mapped = new RegExp(String.raw`\breturn\s{1,40}(?:await\s{1,40})?${chain}${loop}`, 'g');
const plain = new RegExp(String.raw`\breturn\s{1,40}(?:await\s{1,40})?${chain}\s{0,40}(?:[;\n}]|$)`, 'g');
const inline =
  /\breturn\s{1,40}\(\s{0,40}await\s{1,40}tools\.([\w$.]+)\s{0,40}\(.{0,500}\)\s{0,40}\)((?:\s{0,40}[?!]?\.\s{0,40}[A-Za-z_$][\w$]*){1,12})\s{0,40}(?:[;\n}]|$)/g;

/** What the returned expression really is. */
async function returnedHint(code: string, results: RunResults): Promise<string | undefined> {
  const [, path, fields] = [...code.matchAll(inline)].at(-1) ?? [];
  if (path !== undefined) return valueHint({ path, members: membersOf(fields) }, results);
  const [, list, before, , below] = [...code.matchAll(mapped)].at(-1) ?? [];
  if (list !== undefined)
    return hintAt(list, [...membersOf(before), '[]', ...membersOf(below)], code, results);
  const [, root, members] = [...code.matchAll(plain)].at(-1) ?? [];
  return root === undefined ? undefined : hintAt(root, membersOf(members), code, results);
}

async function hintAt(
  root: string,
  members: string[],
  code: string,
  results: RunResults,
): Promise<string | undefined> {
  const origin = originOf(root, code);
  return origin && valueHint({ ...origin, members: [...origin.members, ...members] }, results);
}
