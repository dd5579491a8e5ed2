import * as z from 'zod';

/** A process that runs executions. */
export const Worker = z
  .object({
    id: z.string(),
    host: z.string(),
    pid: z.int(),
    version: z.string(),
    concurrency: z.int(),
    running: z.int(),
    startedAt: z.iso.datetime(),
    seenAt: z.iso.datetime(),
    draining: z.boolean(),
  })
  .meta({ id: 'Worker' });
export type Worker = z.infer<typeof Worker>;

export const WorkerList = z.object({ items: z.array(Worker) }).meta({ id: 'WorkerList' });
