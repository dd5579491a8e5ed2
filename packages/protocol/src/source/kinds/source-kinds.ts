/** The names of all kinds of sources. */
export const sourceKinds = ['openapi', 'graphql', 'google', 'mcp'] as const;
export type SourceKind = (typeof sourceKinds)[number];
