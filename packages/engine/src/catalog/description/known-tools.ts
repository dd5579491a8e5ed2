import type { PolicyDecision, PrincipalKind } from '@executor/protocol';
import type { Caller, Policies } from '../../policy/policies.ts';
import type { Meter } from '../../ports/meter.ts';
import type { CatalogRow } from '../opened-source.ts';

/** Who reads about tools. An agent must not see denied tools. The meter counts the time that the answer takes. */
export type Reader = Caller & { kind: PrincipalKind; meter?: Meter };

/** The decision about a tool; undefined if the reader must not see the tool. */
export type ApprovalOf = (tool: CatalogRow) => PolicyDecision | undefined;

export async function approvalFor(reader: Reader, policies: Pick<Policies, 'outlook'>): Promise<ApprovalOf> {
  const outlook = await policies.outlook(reader);
  return (tool) => {
    const approval = outlook(tool);
    return approval === 'deny' && reader.kind === 'agent' ? undefined : approval;
  };
}
