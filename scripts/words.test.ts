import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const maxLineLength = 120;

/** Files that other people wrote, generated files, and lists of English words that search looks up. */
const exempt = [
  /(^|\/)package-lock\.json$/,
  /^packages\/engine\/src\/catalog\/discovery\/lexicon/,
  /^bench\/discovery\/.*\.(json|txt|tsv)$/,
  /^packages\/store\/migrations\//,
  /^scripts\/words\.test\.ts$/,
];

/** Temporary: parts that still have to be reworded. Remove a row when its part is done. */
const pending: RegExp[] = [];

const files = spawnSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  .stdout.split('\n')
  .filter((file) => file !== '' && ![...exempt, ...pending].some((pattern) => pattern.test(file)));

/** The lines of each text file. */
function linesOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return text.includes('\0') ? [] : text.split('\n');
}

/** Where a line matches, as `file:line: text`. */
function find(names: string[], matches: (line: string) => boolean): string[] {
  return names.flatMap((file) =>
    linesOf(file).flatMap((line, index) =>
      matches(line) ? [`${file}:${index + 1}: ${line.trim().slice(0, 120)}`] : [],
    ),
  );
}

test('no file uses a word that the language guide forbids', () => {
  const word = /\b(mend|mends|mended|mending|strangers?)\b/i;
  expect(find(files, (line) => word.test(line))).toEqual([]);
});

const code = files.filter((file) => /\.(ts|tsx|js|mjs|cjs|py)$/.test(file));

test('no identifier begins with most, least or told', () => {
  const identifier = /(?<![\w'’"-])#?(most|least)[A-Z]\w*|(?<![\w'’"-])#?told[A-Z]\w*|\bfrom '.*\/told-/;
  expect(find(code, (line) => !isComment(line) && identifier.test(line))).toEqual([]);
});

test('no variable, parameter, property or function is named with a participle that says nothing', () => {
  const names = 'said|told|given|became|goingOn|leadOn|passOn';
  const declared = new RegExp(
    [
      `\\b(const|let|var|function\\*?|class)\\s+#?(${names})\\b`,
      `^\\s*(readonly |static |async |get |set )*#?(${names})[?!]?\\s*[:(=]`,
      `[({,]\\s*(\\.\\.\\.)?(${names})\\??\\s*([:,)}=](?!=)|=>)`,
      `\\.#?(${names})\\b(?!['"\`])`,
      `\\b(${names})\\s*=>`,
    ].join('|'),
  );
  expect(find(code, (line) => !isComment(line) && declared.test(withoutStrings(line)))).toEqual([]);
});

test('no line of a document is longer than 120 characters, outside of tables and code', () => {
  const documents = files.filter((file) => /^(docs\/.*|README|CONTRIBUTING|ARCHITECTURE)\.md$/.test(file));
  const long = documents.flatMap((file) => {
    let isCode = false;
    return linesOf(file).flatMap((line, index) => {
      if (line.trimStart().startsWith('```')) isCode = !isCode;
      const counts = !isCode && !line.trimStart().startsWith('|') && line.length > maxLineLength;
      return counts ? [`${file}:${index + 1}`] : [];
    });
  });
  expect(long).toEqual([]);
});

function isComment(line: string): boolean {
  return /^\s*(\/\/|\/?\*)/.test(line);
}

function withoutStrings(line: string): string {
  return line.replace(/'[^']*'|"[^"]*"|`[^`]*`/g, "''").replace(/\/\/.*$|\/\*.*?\*\//g, '');
}
