import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const folder = fileURLToPath(new URL('documents', import.meta.url));

/** GitHub's whole API as an OpenAPI document of 13 MB. */
export const githubDocumentPath = `${folder}/node_modules/@octokit/openapi/generated/api.github.com.json`;
export const oktaDocumentPath = `${folder}/node_modules/@okta/openapi/dist/spec.json`;
export const gitbookDocumentPath = `${folder}/node_modules/@gitbook/api/spec/openapi.json`;

/** Installs the documents for tests and benchmarks, once. */
export async function ensureDocuments(): Promise<void> {
  if ([githubDocumentPath, oktaDocumentPath, gitbookDocumentPath].every((path) => existsSync(path))) return;
  const shell = process.platform === 'win32';
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    shell,
  });
}
