import * as z from 'zod';

/** One row of a run's journal. `seq` counts from 1 within the run. */
export const ExecutionEvent = z
  .object({
    id: z.string().describe('Send it as Last-Event-ID to resume after this event'),
    seq: z.int(),
    executionId: z.string(),
    at: z.iso.datetime(),
    type: z.string(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'ExecutionEvent' });
export type ExecutionEvent = z.infer<typeof ExecutionEvent>;

/** An event of the workspace: `execution.*` and `interaction.*` of its runs, `source.*` of its sources. `id` is the position to resume from. */
export const WorkspaceEvent = ExecutionEvent.partial({ seq: true, executionId: true })
  .extend({ sourceId: z.string().optional().describe('The source, if the event is not about a run') })
  .meta({ id: 'WorkspaceEvent' });
export type WorkspaceEvent = z.infer<typeof WorkspaceEvent>;

export const EventQuery = z.strictObject({
  after: z.string().max(200).optional().describe('Resume after this event id; the same as Last-Event-ID'),
  follow: z.stringbool().default(true).describe('false: end after the events that exist now'),
});
export type EventQuery = z.infer<typeof EventQuery>;
