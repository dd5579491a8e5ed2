/**
 * The optional field of every input that chooses what the call returns: the body alone, or the full response with paging links and rate
 * limits. It is never sent. A parameter or property of that name gets another field name.
 */
export const responseField = '$response';

export const responseFieldSchema = {
  enum: ['body', 'full'],
  description:
    "'full' gives { status, headers, body, links, rateLimit } instead of the body alone; links.next.input is the input for the next page.",
} as const;
