import type { Tool } from '@executor/engine';

/**
 * What a call can do. The server's hints are its own words, so they only make a tool stricter. A hint that would make it looser is a
 * suggestion, which a person may accept.
 */
export function effectOf(annotations: unknown): Pick<Tool, 'effect' | 'repeatable' | 'suggestion'> {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = Object(annotations) as Record<
    string,
    unknown
  >;
  if (destructiveHint === true) return { effect: 'destructive', repeatable: false };
  const strict = { effect: 'write', repeatable: false } as const;
  const elsewhere = openWorldHint === true ? ', and that it contacts other systems' : '';
  if (readOnlyHint === true)
    return {
      ...strict,
      suggestion: {
        effect: 'read',
        repeatable: true,
        why: `The server says that it only reads${elsewhere}.`,
      },
    };
  if (idempotentHint === true)
    return {
      ...strict,
      suggestion: {
        repeatable: true,
        why: `The server says that it can safely be called twice${elsewhere}.`,
      },
    };
  return strict;
}
