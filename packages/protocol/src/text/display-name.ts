import * as z from 'zod';

/** A name chosen by a user: one line of text that is safe to print in a terminal or a table. */
export const DisplayName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}\p{Cf}\p{Cs}]*$/u, 'must not contain control characters');
