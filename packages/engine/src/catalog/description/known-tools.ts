import type { PolicyDecision, PrincipalKind } from '@executor/protocol';
import type { Caller, Policies } from '../../policy/policies.ts';
import type { CatalogRow } from '../opened-source.ts';

/** Who reads about tools. An agent must not see denied tools. */
export type Reader = Caller & { kind: PrincipalKind };

/** The decision about a tool; undefined if the reader must not see the tool. */
export type ApprovalOf = (tool: CatalogRow) => PolicyDecision | undefined;

export async function approvalFor(reader: Reader, policies: Pick<Policies, 'outlook'>): Promise<ApprovalOf> {
  const outlook = await policies.outlook(reader);
  return (tool) => {
    const approval = outlook(tool);
    return approval === 'deny' && reader.kind === 'agent' ? undefined : approval;
  };
}
