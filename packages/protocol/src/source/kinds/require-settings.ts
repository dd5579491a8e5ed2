import type * as z from 'zod';
import { ExecutorError } from '../../error/error.ts';
import { issueSentence } from '../../error/issue-sentence.ts';

/** Throws `invalidRequest` with the wrong fields if the settings of a source do not fit its kind. */
export function requireSettings(kind: string, schema: z.ZodType, settings: unknown): void {
  const { success, error } = schema.safeParse(settings);
  if (!success)
    throw new ExecutorError(
      'invalidRequest',
      `The settings do not fit a source of the kind ${kind}. ${issueSentence(error)}`,
    );
}
