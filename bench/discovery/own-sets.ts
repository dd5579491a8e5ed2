import { readFileSync } from 'node:fs';
import { gitbookDocumentPath, githubDocumentPath, oktaDocumentPath } from '../../scripts/setup-documents.ts';
import type { ExpectedTools } from './quality.ts';

/** Our own sets of requests, for documents that tests install. Any one of the expected operations is right. */
export const ownSets = [
  { name: 'GitHub', document: githubDocumentPath, queries: read('github') },
  { name: 'Okta', document: oktaDocumentPath, queries: read('okta') },
  { name: 'GitBook', document: gitbookDocumentPath, queries: read('gitbook') },
];

/** Requests that none of these systems can answer. */
export const unanswerable = read('nothing');

function read(name: string): ExpectedTools[] {
  return JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'));
}
