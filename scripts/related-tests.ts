import { type Import, isTest, partsAbove } from './check-imports.ts';

/**
 * Finds the tests that a change can affect, the nearest ones first.
 * - In the part that changed: tests that import a changed file, directly or not. A changed file that no test imports is built into a
 *   program, or is data, so all tests of its part run.
 * - In the parts above: first the tests that the table names, which use the changed part through the product; then all others.
 */
export function relatedTests(changed: string[], imports: Import[], tests: string[]): string[] {
  const related = new Set(changed.filter((file) => tests.includes(file)));
  const code = changed.filter((file) => !isTest(file));
  for (const file of changed) {
    const own = tests.filter((test) => partOf(test) === partOf(file));
    const importers = reachedBackwards(file, imports).filter((importer) => own.includes(importer));
    for (const test of importers.length > 0 ? importers : own) related.add(test);
  }
  for (const file of code) for (const test of tests) if (standsFor(test, file)) related.add(test);
  for (const part of code.filter(isSource).map(partOf).flatMap(partsAbove))
    for (const test of tests) if (partOf(test) === part) related.add(test);
  return [...related];
}

/** Takes tests in their order while they fit into the time. A test that does not fit is left to `npm test`. */
export function fitTime(
  tests: string[],
  seconds: number,
  secondsOf: (test: string) => number,
): { chosen: string[]; left: string[] } {
  let remaining = seconds;
  const chosen = tests.filter((test) => {
    const fits = secondsOf(test) <= remaining;
    if (fits) remaining -= secondsOf(test);
    return fits;
  });
  return { chosen, left: tests.filter((test) => !chosen.includes(test)) };
}

/** Tests that run the product, or a part of it, and the files that they stand for. */
export const above: { files: RegExp; tests: RegExp }[] = [
  { files: /^packages\/(?!client).*\/src\//, tests: /^apps\/cli\/test\/commands\.test/ },
  {
    files: /^packages\/(engine|sources|sandboxes|typecheck)\/src\//,
    tests: /^packages\/server\/src\/(http\/executions|mcp\/endpoint)\.test/,
  },
  { files: /^packages\/engine\/src\/(ports|execution)\//, tests: /^packages\/store\/src\/store\.test/ },
  { files: /^packages\/store\//, tests: /^packages\/server\/src\/main\.test/ },
  { files: /^packages\/server\/src\/mcp\//, tests: /^apps\/cli\/test\/mcp\.test/ },
  { files: /^packages\/(protocol|client)\/src\//, tests: /^apps\/web\/test\/home\.test/ },
  { files: /^(docs\/|README)/, tests: /^apps\/cli\/test\/docs\.test/ },
];

function isSource(file: string): boolean {
  return /^packages\/\w+\/src\//.test(file);
}

function standsFor(test: string, file: string): boolean {
  return above.some(({ files, tests }) => files.test(file) && tests.test(test));
}

function partOf(file: string): string {
  return file
    .split('/')
    .slice(0, /^(packages|apps)\//.test(file) ? 2 : 1)
    .join('/');
}

/** The file itself and all files that import it, directly or not. */
function reachedBackwards(file: string, imports: Import[]): string[] {
  const found = new Set([file]);
  for (const target of found)
    for (const { file: importer } of imports.filter((one) => one.target === target)) found.add(importer);
  return [...found];
}
