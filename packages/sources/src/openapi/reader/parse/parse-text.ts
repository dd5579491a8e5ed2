import { YAMLException } from 'js-yaml';
import { isTooDeep, maxDepth } from '../../../document/depth.ts';
import { UnusableDocumentError } from '../document/document.ts';
import { recogniseText } from './recognise-text.ts';
import { parseYaml } from './yaml.ts';

export interface Parsed {
  root: unknown;
  format: 'json' | 'yaml';
  /** Problems that did not prevent parsing. */
  warnings: string[];
}

/** Parses JSON if the text looks like it, with YAML as fallback for invalid JSON; otherwise YAML. */
export function parseText(text: string): Parsed {
  const otherFormat = recogniseText(text);
  if (otherFormat) throw new UnusableDocumentError(otherFormat);
  const json = /^\s*[[{]/.test(text.slice(0, 1_000));
  if (json) {
    if (isTooDeep(text)) throw new UnusableDocumentError(tooDeep);
    const root = tryJson(text);
    if (root !== undefined) return { root, format: 'json', warnings: [] };
  }
  return parseAsYaml(text, json);
}

const tooDeep = `The document is nested deeper than the limit of ${maxDepth} levels. Check the program that generated it.`;

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
    if (json)
      warnings.unshift('The document is not valid JSON. Executor read it as YAML, which is more lenient.');
    return { root, format: json ? 'json' : 'yaml', warnings };
  } catch (error) {
    if (error instanceof RangeError) throw new UnusableDocumentError(tooDeep);
    if (error instanceof YAMLException) throw new UnusableDocumentError(describe(error, text, json));
    throw error;
  }
}

function describe({ reason, mark }: YAMLException, text: string, json: boolean): string {
  if (reason.startsWith('nesting exceeded')) return tooDeep;
  const where = mark ? ` at line ${mark.line + 1}, column ${mark.column + 1}` : '';
  const cut =
    mark && mark.position >= text.trimEnd().length
      ? ' It seems to be cut off there.'
      : ' Fix the document and try again.';
  return `The document is not valid ${json ? 'JSON' : 'JSON or YAML'}: ${json ? 'there is a syntax error' : reason}${where}.${cut}`;
}
