import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type Entry, entryName } from './agent-client.ts';
import { type ConfigText, unusableText, withoutMark } from './config-text.ts';
import { copyValue, insertProperty, layoutOf, removeProperty, replaceValue } from './json-edit.ts';

/** A file of JSON, with or without comments: `{ "CONTAINER": { "executor": … } }`. */
export function jsonConfig(container: string, path: string): ConfigText {
  const locate = (text: string) => {
    const root = parse(path, text);
    const servers = root && find(path, root, container);
    return { root, servers, property: servers && find(path, objectIn(path, servers), entryName) };
  };
  /** What would be lost or changed beside the entry: nothing may. */
  const checked = (before: string, after: string): string => {
    const rest = (text: string) => restOf(parse(path, text), container);
    if (rest(before) !== rest(after)) throw unusableText(path, 'its other settings would not have survived');
    return after;
  };
  return {
    hasContainer: (text) => locate(text).servers !== undefined,
    read: (text) => {
      const value = locate(text).property?.children?.[1];
      return value && getNodeValue(value);
    },
    set: (text, entry) => {
      const { root, servers, property } = locate(text);
      if (root === undefined) return begin(text, container, entry);
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

/** A file that says nothing yet, be it empty or all comments. */
function begin(text: string, container: string, entry: Entry): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const json = JSON.stringify({ [container]: { [entryName]: entry } }, null, 2).replaceAll('\n', eol);
  const head = text.trim() === '' ? '' : `${text.trimEnd()}${eol}`;
  return `${head}${json}${eol}`;
}

function parse(path: string, text: string): Node | undefined {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(withoutMark(text), errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw unusableText(path, 'it is nested too deeply to be read', error);
  }
  const [first] = errors;
  if (first) {
    const before = text.slice(0, first.offset).split('\n');
    const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
    throw unusableText(path, `it is not JSON, see ${place} (${printParseErrorCode(first.error)})`);
  }
  if (root && root.type !== 'object') throw unusableText(path, 'it must hold one JSON object');
  return root;
}

function find(path: string, object: Node, key: string): Node | undefined {
  const found = (object.children ?? []).filter((property) => property.children?.[0]?.value === key);
  if (found.length > 1)
    throw unusableText(path, `it has "${key}" twice, and programs differ in which one they read`);
  return found[0];
}

function objectIn(path: string, property: Node): Node {
  const [key, value] = property.children ?? [];
  if (value?.type === 'object') return value;
  throw unusableText(path, `"${key?.value}" must be an object there`);
}

/** Everything that a text says but our entry, in its order; an empty container says nothing. */
function restOf(root: Node | undefined, container: string): string {
  const rest = (root?.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    if (key?.value !== container || value?.type !== 'object') return [written(property)];
    const others = (value.children ?? []).filter((child) => child.children?.[0]?.value !== entryName);
    return others.length === 0 ? [] : [`${container}:{${others.map(written).join()}}`];
  });
  return rest.join();
}

/** By its nodes and not by its value: twice the same key, `__proto__` and large numbers count as they are written. */
function written(node: Node): string {
  if (node.children === undefined) return JSON.stringify([node.type, node.value]);
  return `${node.type}(${node.children.map(written).join()})`;
}
