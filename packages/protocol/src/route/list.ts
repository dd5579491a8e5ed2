import * as z from 'zod';

const maxPageSize = 200;

/** The query of every list route. */
export const PageQuery = z.strictObject({
  cursor: z
    .string()
    .regex(/^[\w-]{1,200}$/, 'must be a nextCursor of this list')
    .optional()
    .describe('`nextCursor` of the previous page'),
  limit: z.coerce.number().int().min(1).max(maxPageSize).default(50),
});
export type PageQuery = z.infer<typeof PageQuery>;

/** The response of every list route. */
export function list<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().optional() });
}
