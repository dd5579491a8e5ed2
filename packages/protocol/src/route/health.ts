import * as z from 'zod';

export const Health = z
  .object({
    status: z.enum(['ok', 'degraded']),
    name: z.literal('executor'),
    version: z.string(),
    installationId: z.string(),
    database: z.enum(['ok', 'unavailable']),
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof Health>;
