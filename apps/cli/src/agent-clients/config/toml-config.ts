import { isDeepStrictEqual } from 'node:util';
import { parse as parseToml, stringify, TomlError } from 'smol-toml';
import { type Entry, entryName } from '../agent-client.ts';
import { type ConfigEditor, unusableFile, withoutByteOrderMark } from './config-editor.ts';
import { type Section, sectionsOf } from './toml-sections.ts';

type Table = Record<string, unknown>;

/** Edits TOML with a table for Executor: `[CONTAINER.executor]`. */
export function tomlConfig(container: string, path: string): ConfigEditor {
  const header = `[${container}.${entryName}]`;
  const own = (text: string) =>
    sectionsOf(text).filter(({ keys }) => keys[0] === container && keys[1] === entryName);
  const read = (text: string) => {
    const servers = parse(path, text)[container];
    if (servers !== undefined && !isTable(servers))
      throw unusableFile(path, `"${container}" must be a table`);
    return servers?.[entryName];
  };
  const checked = (before: string, after: string, entry: unknown): string => {
    const hasEntry = isDeepStrictEqual(toPlainValues(readAfter(after)), toPlainValues(entry));
    if (hasEntry && isDeepStrictEqual(otherSettings(before), otherSettings(after))) return after;
    throw unusableFile(path, `${header} is written in a form that cannot be edited safely`);
  };
  const readAfter = (text: string) => {
    try {
      return read(text);
    } catch (error) {
      throw unusableFile(path, `"${container}" is written in a form that allows no ${header}`, error);
    }
  };
  const otherSettings = (text: string): Table => {
    const root = parse(path, text);
    const { [entryName]: _, ...otherServers } = (root[container] ?? {}) as Table;
    const { [container]: __, ...settings } = root;
    return Object.keys(otherServers).length === 0 ? settings : { ...settings, [container]: otherServers };
  };
  return {
    values: (text) => toPlainValues(parse(path, text)) as Table,
    hasContainer: (text) => isTable(parse(path, text)[container]),
    read: (text) => toPlainValues(read(text)),
    set: (text, entry) => {
      read(text);
      const eol = text.includes('\r\n') ? '\r\n' : '\n';
      const table = render(header, entry, eol);
      const [first, ...others] = own(text);
      if (first) return checked(text, splice(text, first, others, table), entry);
      const gap = text === '' ? '' : text.endsWith('\n') ? eol : `${eol}${eol}`;
      return checked(text, `${text}${gap}${table}${eol}`, entry);
    },
    remove: (text) => {
      if (read(text) === undefined) return text;
      const [first, ...others] = own(text);
      if (first === undefined) return checked(text, text, undefined);
      return checked(text, removeGap(splice(text, first, others, ''), first.start), undefined);
    },
    restore: (text, from) => {
      const [first, ...others] = own(text);
      const put = own(from).map(({ start, end }) => from.slice(start, end));
      if (first === undefined || put.length === 0) return checked(text, text, read(from));
      const eol = from.includes('\r\n') ? '\r\n' : '\n';
      return checked(text, splice(text, first, others, put.join(`${eol}${eol}`)), read(from));
    },
    snippet: (entry) => render(header, entry, '\n'),
  };
}

function render(header: string, entry: Entry, eol: string): string {
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${inline(value)}`);
  return [header, ...lines].join(eol);
}

function inline(value: Entry[string]): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object') return stringify({ value }).trim().slice('value = '.length);
  const pairs = Object.entries(value).map(([key, text]) => `${key} = ${inline(text)}`);
  return `{ ${pairs.join(', ')} }`;
}

/** Replaces Executor's first table, and removes its sub-tables, which may be anywhere in the text. */
function splice(text: string, first: Section, others: Section[], put: string): string {
  const without = others.reduceRight((result, { start, end }) => removeLines(result, start, end), text);
  return `${without.slice(0, first.start)}${put}${without.slice(first.end)}`;
}

function removeLines(text: string, start: number, end: number): string {
  return text.slice(0, start) + text.slice(end).replace(/^\r?\n/, '');
}

/** Removes the empty line before the table and the line ending of its last line. */
function removeGap(text: string, at: number): string {
  const after = text.slice(at).replace(/^\r?\n/, '');
  const before = text.slice(0, at);
  return after.trim() === '' ? `${before.replace(/(\r?\n)\r?\n$/, '$1')}${after}` : before + after;
}

function parse(path: string, text: string): Table {
  try {
    return parseToml(withoutByteOrderMark(text), { integersAsBigInt: true }) as Table;
  } catch (error) {
    if (error instanceof RangeError) throw unusableFile(path, 'it is nested too deeply', error);
    if (!(error instanceof TomlError)) throw error;
    throw unusableFile(path, `it is not TOML, see line ${error.line}, column ${error.column}`);
  }
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Converts parsed tables, which have no prototype, to plain objects, and big integers to text. */
function toPlainValues(value: unknown): unknown {
  return value === undefined
    ? undefined
    : JSON.parse(JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}` : part)));
}
