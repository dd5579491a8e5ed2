import { schema as github } from '@octokit/graphql-schema';
import { buildProduct } from '../scripts/build.ts';
import type { Figure } from './figure.ts';
import { measureMcpSources } from './mcp-sources.ts';
import { measurePaste } from './openapi-load.ts';
import { measureDetection } from './source-detection.ts';

/** The parts that can be measured separately. */
const parts: Record<string, () => Promise<Figure[]>> = {
  graphql: () =>
    measurePaste({
      name: "GitHub's GraphQL schema",
      kind: 'graphql',
      document: github.idl,
      targets: { seconds: 2, delayMs: 50, serverMb: 40 },
    }),
  mcp: measureMcpSources,
  detect: measureDetection,
};

/** Measures sources of other kinds than OpenAPI: `npm run bench sources [-- PART]`. */
export async function measureSources([part]: string[]): Promise<Figure[]> {
  if (part !== undefined && !Object.hasOwn(parts, part))
    throw new Error(`There is no part "${part}". Parts: ${Object.keys(parts).join(', ')}.`);
  await buildProduct();
  const figures: Figure[] = [];
  for (const [name, measure] of Object.entries(parts))
    if (part === undefined || part === name) figures.push(...(await measure()));
  return figures;
}
