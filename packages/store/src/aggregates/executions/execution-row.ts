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

/** Converts a row that was selected with these columns. The code may be large, so the row has it in memory once. */
export function toExecution(record: object): ExecutionRow {
  const execution: ExecutionRow = fromRecord(shown, record);
  const { code, program } = execution;
  if (program?.source === code) program.source = code;
  return execution;
}
