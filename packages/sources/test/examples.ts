import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { githubDocumentPath } from '../../../scripts/setup-documents.ts';

const require = createRequire(import.meta.url);

/** The documents of `@readme/oas-examples`, which have every feature there is. */
export function examples(): { path: string; bytes: Buffer }[] {
  const root = dirname(require.resolve('@readme/oas-examples/package.json'));
  return readdirSync(root, { recursive: true })
    .map(String)
    .filter((path) => /^\d\.\d\/(json|yaml)\/[^/]+\.(json|yaml)$/.test(path))
    .sort()
    .map((path) => ({ path, bytes: readFileSync(join(root, path)) }));
}

/** GitHub's whole API: 13 MB. */
export function githubDocument(): Buffer {
  return readFileSync(githubDocumentPath);
}
