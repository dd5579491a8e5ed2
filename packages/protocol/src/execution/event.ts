import * as z from 'zod';

/** One row of a run's journal, as the outside sees it. `seq` counts from 1 within the run. */
export const ExecutionEvent = z
  .object({
    id: z.string().describe('Send it as Last-Event-ID to go on after this one'),
    seq: z.int(),
    executionId: z.string(),
    at: z.iso.datetime(),
    type: z.string(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'ExecutionEvent' });
export type ExecutionEvent = z.infer<typeof ExecutionEvent>;

/**
 * What happens in a workspace: of its runs `execution.*` and `interaction.*`, of its sources `source.*`. `id` is the place in this stream to
 * resume from.
 */
export const WorkspaceEvent = ExecutionEvent.partial({ seq: true, executionId: true })
  .extend({ sourceId: z.string().optional().describe('Which source it is about, instead of a run') })
  .meta({ id: 'WorkspaceEvent' });
export type WorkspaceEvent = z.infer<typeof WorkspaceEvent>;

export const EventQuery = z.strictObject({
  after: z
    .string()
    .max(200)
    .optional()
    .describe('Where to go on: the id of the last event seen, as Last-Event-ID'),
  follow: z.stringbool().default(true).describe('false: end after what there is now'),
});
export type EventQuery = z.infer<typeof EventQuery>;
