import type { PolicyDecision } from '@executor/protocol';
import type { Policies } from '../../policy/policies.ts';
import type { CatalogRow } from '../opened-source.ts';
import type { Reader } from './tool-descriptions.ts';

/** What is decided of a tool; undefined where the reader must not know of it. */
export type ApprovalOf = (tool: CatalogRow) => PolicyDecision | undefined;

export async function approvalFor(reader: Reader, policies: Pick<Policies, 'outlook'>): Promise<ApprovalOf> {
  const outlook = await policies.outlook(reader);
  return (tool) => {
    const approval = outlook(tool);
    return approval === 'deny' && reader.kind === 'agent' ? undefined : approval;
  };
}
