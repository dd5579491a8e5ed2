import * as z from 'zod';

/** What of a resource is in use, and by whom. */
export const ResourceUsage = z
  .object({
    name: z.string(),
    description: z.string(),
    unit: z.enum(['count', 'bytes']),
    limits: z
      .object({ perKey: z.number(), agents: z.number(), total: z.number() })
      .describe('For one credential, for all agents together, and in all. The difference is left to people'),
    used: z.number(),
    byAgents: z.number().describe('The part of `used` that agents hold'),
    waiting: z.number().describe('How many callers wait for it'),
    users: z
      .array(z.object({ key: z.string(), used: z.number() }))
      .describe('The keys that use it, largest first'),
  })
  .meta({ id: 'ResourceUsage' });
export type ResourceUsage = z.infer<typeof ResourceUsage>;

export const ResourceList = z.object({ items: z.array(ResourceUsage) }).meta({ id: 'ResourceList' });
