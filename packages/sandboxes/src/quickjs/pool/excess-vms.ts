import type { SandboxRun } from '../run/sandbox-run.ts';

/**
 * The runs whose VMs have to be dropped so that the others fit: each time the largest one of the owner who uses the most. A VM that is
 * larger than the limit is kept if it is alone, because rebuilding it after each call would help nobody.
 */
export function excessVms(runs: SandboxRun[], limit: number): SandboxRun[] {
  let total = runs.reduce((sum, { vmBytes }) => sum + vmBytes, 0);
  if (total <= limit) return [];
  const maxBytes = Math.max(limit, spare * Math.max(...runs.map(({ vmBytes }) => vmBytes)));
  const used = bytesByOwner(runs);
  const excess: SandboxRun[] = [];
  const idle = new Set(runs.filter((run) => !run.hasWork));
  while (total > maxBytes && idle.size > 0) {
    const run = [...idle].reduce((a, b) => (costs(b, used) > costs(a, used) ? b : a));
    idle.delete(run);
    excess.push(run);
    total -= run.vmBytes;
    used.set(run.owner, (used.get(run.owner) ?? 0) - run.vmBytes);
  }
  return excess;
}

/** Beside the largest VM, small ones have room. */
const spare = 1.5;

function bytesByOwner(runs: SandboxRun[]): Map<string, number> {
  const used = new Map<string, number>();
  for (const { owner, vmBytes } of runs) used.set(owner, (used.get(owner) ?? 0) + vmBytes);
  return used;
}

/** A VM's size decides only among the VMs of one owner, because it is a fraction of what its owner uses. */
function costs({ owner, vmBytes }: SandboxRun, used: Map<string, number>): number {
  const all = used.get(owner) ?? 0;
  return all + vmBytes / (all + 1);
}
