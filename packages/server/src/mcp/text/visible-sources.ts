import type { Engine } from '@executor/engine';
import { ExecutorError, type Principal } from '@executor/protocol';

export interface VisibleSource {
  namespace: string;
  toolCount: number;
  /** A document named it, and no person has confirmed the name. Models do not read such a name before they ask for it. */
  isUnconfirmed: boolean;
}

/** The sources whose tools this key may see, by namespace. */
export async function visibleSources(engine: Engine, principal: Principal): Promise<VisibleSource[]> {
  const rows = await engine.catalog.rows(principal.workspaceId);
  const outlook = await engine.policies.outlook(principal);
  const sources: VisibleSource[] = [];
  for (const { namespace, toolCount, provenance } of rows) {
    // Checking every tool of every source would delay the first answer, so only namespaces that look denied are checked.
    const looksDenied = ['x', 'x.x'].some((rest) => {
      return outlook({ path: `${namespace}.${rest}`, effect: 'read' }) === 'deny';
    });
    if (looksDenied && !(await hasTools(engine, principal, namespace))) continue;
    sources.push({ namespace, toolCount, isUnconfirmed: provenance.unconfirmedName === true });
  }
  return sources;
}

/** Agents cannot see denied tools, and cannot see a source whose tools are all denied. */
async function hasTools({ descriptions }: Engine, principal: Principal, path: string): Promise<boolean> {
  try {
    await descriptions.namespace(principal, { path, limit: 1 });
    return true;
  } catch (error) {
    if (error instanceof ExecutorError && error.code === 'notFound') return false;
    throw error;
  }
}
