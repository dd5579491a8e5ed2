import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Files that other people wrote, generated files, and lists of English words that search looks up. */
const exempt = [
  /(^|\/)package-lock\.json$/,
  /^packages\/discovery\/src\/lexicon/,
  /^bench\/discovery\/.*\.(json|txt|tsv)$/,
  /^packages\/store\/migrations\//,
  /^scripts\/words\.test\.ts$/,
];

const files = spawnSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  .stdout.split('\n')
  .filter((file) => file !== '' && !exempt.some((pattern) => pattern.test(file)));

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

test('the files of the repository are found', () => {
  expect(files.length).toBeGreaterThan(1_000);
});

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

function isComment(line: string): boolean {
  return /^\s*(\/\/|\/?\*)/.test(line);
}

function withoutStrings(line: string): string {
  return line.replace(/'[^']*'|"[^"]*"|`[^`]*`/g, "''").replace(/\/\/.*$|\/\*.*?\*\//g, '');
}
