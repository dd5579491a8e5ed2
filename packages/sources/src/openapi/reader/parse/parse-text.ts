import { YAMLException } from 'js-yaml';
import { Refusal } from '../refusal.ts';
import { isTooDeep, maxDepth } from './depth.ts';
import { recogniseText } from './recognise-text.ts';
import { parseYaml } from './yaml.ts';

export interface Parsed {
  root: unknown;
  format: 'json' | 'yaml';
  /** What is wrong with the text and did not stop it. */
  warnings: string[];
}

/** JSON where it looks like it, with YAML for what is almost JSON; else YAML. */
export function parseText(text: string): Parsed {
  const other = recogniseText(text);
  if (other) throw new Refusal(other);
  const json = /^\s*[[{]/.test(text.slice(0, 1_000));
  if (json) {
    if (isTooDeep(text)) throw new Refusal(tooDeep);
    const root = tryJson(text);
    if (root !== undefined) return { root, format: 'json', warnings: [] };
  }
  return parseAsYaml(text, json);
}

const tooDeep = `The document is nested deeper than ${maxDepth} levels, so it is not read. No description of an API is: look at how it was made.`;

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseAsYaml(text: string, json: boolean): Parsed {
  try {
    const { root, warnings } = parseYaml(text);
    if (json) warnings.unshift('The document is no valid JSON; it was read as YAML, which allows more.');
    return { root, format: json ? 'json' : 'yaml', warnings };
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal(tooDeep);
    if (error instanceof YAMLException) throw new Refusal(describe(error, text, json));
    throw error;
  }
}

function describe({ reason, mark }: YAMLException, text: string, json: boolean): string {
  if (reason.startsWith('nesting exceeded')) return tooDeep;
  const where = mark ? ` at line ${mark.line + 1}, column ${mark.column + 1}` : '';
  const cut = mark && mark.position >= text.trimEnd().length ? ' It seems to be cut off there.' : '';
  return `The document is neither JSON nor YAML: ${json ? 'it is broken' : reason}${where}.${cut}`;
}
