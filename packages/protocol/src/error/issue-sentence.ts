import type * as z from 'zod';

/** What a schema refused, as a sentence per field that says option, expected and got. */
export function describeIssues(error: z.ZodError): { field: string; problem: string }[] {
  return error.issues.map((issue) => ({
    field: issue.path.map(String).join('.'),
    problem: issue.message,
  }));
}

export function issueSentence(error: z.ZodError): string {
  return describeIssues(error)
    .map(({ field, problem }) => (field ? `${field}: ${problem}` : problem))
    .join('; ');
}
