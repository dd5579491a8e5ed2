import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type Entry, entryName } from '../agent-client.ts';
import { type ConfigEditor, unusableFile, withoutByteOrderMark } from './config-editor.ts';
import { copyValue, insertProperty, layoutOf, removeProperty, replaceValue } from './json-edit.ts';

/** Edits JSON with or without comments: `{ "CONTAINER": { "executor": … } }`. */
export function jsonConfig(container: string, path: string): ConfigEditor {
  const locate = (text: string) => {
    const root = parse(path, text);
    const servers = root && find(path, root, container);
    return { root, servers, property: servers && find(path, objectIn(path, servers), entryName) };
  };
  /** Throws if an edit changed anything but the entry. */
  const checked = (before: string, after: string): string => {
    const others = (text: string) => otherSettings(parse(path, text), container);
    if (others(before) !== others(after)) throw unusableFile(path, 'the edit would change other settings');
    return after;
  };
  return {
    values: (text) => {
      const root = parse(path, text);
      return root ? getNodeValue(root) : {};
    },
    hasContainer: (text) => locate(text).servers !== undefined,
    read: (text) => {
      const value = locate(text).property?.children?.[1];
      return value && getNodeValue(value);
    },
    set: (text, entry) => {
      const { root, servers, property } = locate(text);
      if (root === undefined) return withFirstEntry(text, container, entry);
      const layout = layoutOf(text);
      if (property) return checked(text, replaceValue(text, property, entry, layout));
      const added = servers
        ? { into: objectIn(path, servers), key: entryName, value: entry }
        : { into: root, key: container, value: { [entryName]: entry } };
      return checked(text, insertProperty(text, added, layout));
    },
    remove: (text, { andContainer = false } = {}) => {
      const { property } = locate(text);
      if (property === undefined) return text;
      const without = removeProperty(text, property);
      const { servers } = locate(without);
      const isEmpty = servers && objectIn(path, servers).children?.length === 0;
      return checked(text, andContainer && isEmpty ? removeProperty(without, servers) : without);
    },
    restore: (text, from) => {
      const [own, other] = [locate(text).property, locate(from).property];
      if (own === undefined || other === undefined) return text;
      return checked(text, copyValue({ text, property: own }, { text: from, property: other }));
    },
    snippet: (entry) => JSON.stringify({ [container]: { [entryName]: entry } }, null, 2),
  };
}

/** Adds the entry to a file that is empty or has only comments. */
function withFirstEntry(text: string, container: string, entry: Entry): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const json = JSON.stringify({ [container]: { [entryName]: entry } }, null, 2).replaceAll('\n', eol);
  const head = text.trim() === '' ? '' : `${text.trimEnd()}${eol}`;
  return `${head}${json}${eol}`;
}

function parse(path: string, text: string): Node | undefined {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(withoutByteOrderMark(text), errors, {
      allowTrailingComma: true,
      allowEmptyContent: true,
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw unusableFile(path, 'it is nested too deeply', error);
  }
  const [first] = errors;
  if (first) {
    const before = text.slice(0, first.offset).split('\n');
    const position = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
    throw unusableFile(path, `it is not JSON, see ${position} (${printParseErrorCode(first.error)})`);
  }
  if (root && root.type !== 'object') throw unusableFile(path, 'it must contain one JSON object');
  return root;
}

function find(path: string, object: Node, key: string): Node | undefined {
  const found = (object.children ?? []).filter((property) => property.children?.[0]?.value === key);
  if (found.length > 1)
    throw unusableFile(path, `it has "${key}" twice, and programs differ in which one they read`);
  return found[0];
}

function objectIn(path: string, property: Node): Node {
  const [key, value] = property.children ?? [];
  if (value?.type === 'object') return value;
  throw unusableFile(path, `"${key?.value}" must be an object`);
}

/** All settings except Executor's entry, in order. An empty container counts as no setting. */
function otherSettings(root: Node | undefined, container: string): string {
  const settings = (root?.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    if (key?.value !== container || value?.type !== 'object') return [serialize(property)];
    const others = (value.children ?? []).filter((child) => child.children?.[0]?.value !== entryName);
    return others.length === 0 ? [] : [`${container}:{${others.map(serialize).join()}}`];
  });
  return settings.join();
}

/** Serializes nodes instead of values, because values lose duplicate keys, `__proto__` and the digits of large numbers. */
function serialize(node: Node): string {
  if (node.children === undefined) return JSON.stringify([node.type, node.value]);
  return `${node.type}(${node.children.map(serialize).join()})`;
}
