import type { ExportNamedDeclaration, Node, Program } from 'acorn';
import { blankRanges, type Range } from './blank.ts';
import { parseModule } from './parse.ts';

/**
 * Converts a module to the body of a function. `export` keywords are blanked, and the exported values are the result: the default export,
 * else `main`, else the only export, else all exports.
 */
export type ModuleBody =
  | { type: 'body'; code: string; result: string; blanked: Range[] }
  | { type: 'import'; start: number }
  | { type: 'none' };

export const defaultName = '$default';

export function moduleBody(code: string): ModuleBody {
  const parsed = parseModule(code);
  if (parsed.type !== 'parsed') return { type: 'none' };
  const { program } = parsed;
  const imported = program.body.find(isImport);
  if (imported) return { type: 'import', start: imported.start };
  const exported = program.body.flatMap((node) => exportsOf(node) ?? []);
  const blanked = program.body.flatMap((node) => blankedOf(node) ?? []);
  return { type: 'body', code: rewrite(code, program, blanked), result: resultOf(exported), blanked };
}

interface Exported {
  name: string;
  local: string;
}

function isImport(node: Node): boolean {
  if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return true;
  return node.type === 'ExportNamedDeclaration' && Boolean((node as ExportNamedDeclaration).source);
}

function exportsOf(node: Program['body'][number]): Exported[] | undefined {
  if (node.type === 'ExportDefaultDeclaration') return [{ name: 'default', local: defaultLocal(node) }];
  if (node.type !== 'ExportNamedDeclaration') return undefined;
  const { declaration, specifiers } = node;
  if (!declaration) {
    return specifiers.flatMap(({ local, exported }) =>
      local.type === 'Identifier' && exported.type === 'Identifier'
        ? [{ name: exported.name, local: local.name }]
        : [],
    );
  }
  const ids = declaration.type === 'VariableDeclaration' ? declaration.declarations : [declaration];
  return ids.flatMap(({ id }) => (id?.type === 'Identifier' ? [{ name: id.name, local: id.name }] : []));
}

/** A function or class with a name remains a declaration. */
function defaultLocal({
  declaration,
}: Extract<Program['body'][number], { type: 'ExportDefaultDeclaration' }>) {
  const named = declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration';
  return named && declaration.id ? declaration.id.name : defaultName;
}

function blankedOf(node: Program['body'][number]): Range | undefined {
  if (node.type === 'ExportDefaultDeclaration') return { start: node.start, end: node.declaration.start };
  if (node.type !== 'ExportNamedDeclaration') return undefined;
  return { start: node.start, end: node.declaration?.start ?? node.end };
}

function rewrite(code: string, { body }: Program, ranges: Range[]): string {
  const text = blankRanges(code, ranges);
  // The parser allows only one default export.
  const node = body.find(({ type }) => type === 'ExportDefaultDeclaration');
  if (node?.type !== 'ExportDefaultDeclaration' || defaultLocal(node) !== defaultName) return text;
  const { start, end } = node.declaration;
  const assigned = assignment(text.slice(node.start, start)) + text.slice(start, end);
  return `${text.slice(0, node.start)}${assigned};${text.slice(end)}`;
}

/** The assignment replaces `export default`, which is longer. */
function assignment(blanks: string): string {
  const sign = `${defaultName}=`;
  return sign + blanks.slice(sign.length);
}

function resultOf(exported: Exported[]): string {
  const chosen = ['default', 'main'].flatMap((wanted) => exported.find(({ name }) => name === wanted) ?? []);
  const only = chosen[0] ?? (exported.length === 1 ? exported[0] : undefined);
  if (only) return only.local;
  return `({ ${exported.map(({ name, local }) => `${JSON.stringify(name)}: ${local}`).join(', ')} })`;
}
