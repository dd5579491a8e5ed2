import { schema as github } from '@octokit/graphql-schema';
import { buildProduct } from '../scripts/build.ts';
import type { Figure } from './figure.ts';
import { measurePaste } from './openapi-load.ts';

/** Measures sources of other kinds than OpenAPI: `npm run bench sources`. */
export async function measureSources(): Promise<Figure[]> {
  await buildProduct();
  return measurePaste({
    name: "GitHub's GraphQL schema",
    kind: 'graphql',
    document: github.idl,
    targets: { seconds: 2, delayMs: 50, serverMb: 40 },
  });
}
