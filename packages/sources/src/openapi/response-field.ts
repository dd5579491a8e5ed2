/**
 * The optional field of every input that chooses what the call gives back: the body alone, or all of the answer with what a caller needs
 * for the next one (pages, rate limits). It is never sent. A parameter or property of that name would be another field.
 */
export const responseField = '$response';

export const responseFieldSchema = {
  enum: ['body', 'full'],
  description:
    "'full' gives { status, headers, body, links, rateLimit } instead of the body alone; links.next.input is the input for the next page.",
} as const;
