import type { ExecutionRow } from '@executor/engine';
import { getTableColumns } from 'drizzle-orm';
import { executions } from '../../execution-schema.ts';
import { fromRecord } from '../../records.ts';

/** All columns of a run except its lease, which is internal to the store. */
const { codeExcerpt, leaseOwner, leaseEpoch, leaseUntil, lastBatch, runnableAt, ...shown } =
  getTableColumns(executions);

export const executionColumns = shown;

/** Converts a row that was selected with these columns. */
export function toExecution(record: object): ExecutionRow {
  return fromRecord(shown, record);
}
