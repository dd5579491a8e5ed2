import type * as z from 'zod';

/** The problems that a schema found, one per field. */
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
