import type { AskedRow } from '@executor/engine';
import { getTableColumns } from 'drizzle-orm';
import { executions, interactions } from '../../execution-schema.ts';
import { columnNames, fromRecord } from '../../records.ts';
import { apiKeys } from '../../schema.ts';

const columns = getTableColumns(interactions);
const { ownerId, principalKind, clientId } = getTableColumns(executions);
const ofRun = { ownerId, principalKind, clientId };
const keyName = { keyName: getTableColumns(apiKeys).name };

/** The columns of an interaction and of the owner of its run. */
export const askedColumns = `${columnNames(columns, 'interactions.')}, ${columnNames(ofRun, 'executions.')},
  api_keys.name as key_name`;

export const askedRows = `interactions
  join executions on executions.id = interactions.execution_id
  left join api_keys on api_keys.workspace_id = executions.workspace_id and api_keys.id = executions.owner_id`;

export function toAskedRow(record: object): AskedRow {
  const askedBy = fromRecord<AskedRow['askedBy']>({ ...ofRun, ...keyName }, record);
  return { ...fromRecord<AskedRow>(columns, record), askedBy };
}
