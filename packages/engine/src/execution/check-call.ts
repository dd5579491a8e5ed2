import type { CallResult } from '../ports/sandbox.ts';
import type { CallContext } from './call-context.ts';
import { reasonOf, toolError } from './call-result.ts';
import type { PreparedCall } from './prepare-call.ts';

/** Has the source say whether it can make a request of a call, before a person is asked about it. Nothing is sent. */
export async function refusedBySource(
  { source, tool, input, settings }: PreparedCall,
  run: CallContext,
): Promise<CallResult | undefined> {
  const { workspaceId } = run.caller;
  const check = async () =>
    source.check?.({ tool, input, settings }, { workspaceId, hasArtifact: (id) => run.hasArtifact(id) });
  try {
    const problem = await run.patiently(check);
    return problem && toolError(problem.message, problem.details);
  } catch (error) {
    return toolError(`${tool.path} failed: ${reasonOf(error)}`, { code: 'failed' });
  }
}
