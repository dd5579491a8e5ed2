import type { ExecutionRow } from '@executor/engine';
import { getTableColumns } from 'drizzle-orm';
import { executions } from '../execution-schema.ts';
import { fromRecord } from '../records.ts';

/** Everything of a run but who holds it, which is the store's own affair. */
const { codeExcerpt, leaseOwner, leaseEpoch, leaseUntil, lastBatch, runnableAt, ...shown } =
  getTableColumns(executions);

export const executionColumns = shown;

/** Of a row that was read by the names of these columns. */
export function toExecution(record: object): ExecutionRow {
  return fromRecord(shown, record);
}
