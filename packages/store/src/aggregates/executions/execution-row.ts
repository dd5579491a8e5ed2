import type { ExecutionRow } from '@executor/engine';
import { getTableColumns } from 'drizzle-orm';
import { executions } from '../../execution-schema.ts';
import { fromRecord } from '../../records.ts';

/** All columns of a run except its lease, lost leases and size, which are internal to the store. */
const {
  codeExcerpt,
  leaseOwner,
  leaseEpoch,
  leaseUntil,
  lastBatch,
  storedBytes,
  chargedBytes,
  hasPayload,
  runnableAt,
  lostLeases,
  loneLosses,
  lostEpoch,
  ...shown
} = getTableColumns(executions);

export const executionColumns = shown;

/** Converts a row that was selected with these columns. */
export function toExecution(record: object): ExecutionRow {
  return fromRecord(shown, record);
}
