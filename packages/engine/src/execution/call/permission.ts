import { auditEntry } from '../../audit-entry.ts';
import { credentialNamesOf } from '../../auth/compose-auth.ts';
import type { Decision } from '../../policy/policies.ts';
import type { NewAuditEntry } from '../../ports/audit-store.ts';
import type { CallResult, SandboxCall } from '../../ports/sandbox.ts';
import type { AskedState, CallState, ResolvedEvent } from '../run/run-state.ts';
import type { CallContext } from './call-context.ts';
import { deniedByRule, overQuota, reasonOf, toolDenied, toolError } from './call-result.ts';
import { inputStep } from './input-step.ts';
import { noteDecision } from './note-decision.ts';
import { bindingOf, type PreparedCall } from './prepare-call.ts';
import { shownInput, shownRequest } from './shown-call.ts';

export type Permission = { type: 'granted' } | { type: 'refused'; result: CallResult } | { type: 'changed' };

/**
 * Asks the rules, and a reviewer if the rules require it, whether a call may be sent. `changed` means that the tool differs from what the
 * reviewer was shown, so the call has to be prepared again.
 */
export async function obtainPermission(
  call: SandboxCall,
  prepared: PreparedCall,
  past: CallState,
  run: CallContext,
): Promise<Permission> {
  const decision = await inputStep(call, run, () =>
    run.policies.decide(run.caller, prepared.tool, prepared.judged),
  );
  const asked = past.asked.findLast(({ kind, gone }) => kind === 'approval' && gone !== 'withdrawn');
  const isAnswered = asked !== undefined || run.state.identical.has(prepared.binding);
  const allowed = isAnswered ? {} : await auditAllowedWrite(call, prepared, decision, past, run);
  if ('refusal' in allowed) return { type: 'refused', result: allowed.refusal };
  noteDecision(call, prepared.tool, decision, run, allowed);
  if (decision.decision === 'deny') {
    if (asked && !asked.answer && !asked.gone) run.withdraw(call.index, asked, 'a rule denies it now');
    return refused(call, decision);
  }
  // Once a reviewer is asked, the answer counts even if a rule allows the call by now: the answer may be a denial.
  const answer = asked ? undefined : run.state.identical.get(prepared.binding);
  if (answer?.action === 'deny') return { type: 'refused', result: deniedBy(call, answer) };
  if (asked || (decision.decision === 'requireApproval' && answer === undefined)) {
    const refusal = asked ? undefined : await refusedBySource(prepared, run);
    if (refusal) return { type: 'refused', result: refusal };
    const question = asked ?? (await askForApproval(call, prepared, past, run));
    if ('type' in question) return { type: 'refused', result: question };
    const answered = await approval(call, prepared, question, run);
    if (answered.type !== 'granted') return answered;
  } else if (prepared.tool.effect === 'read' && prepared.tool.repeatable) {
    return { type: 'granted' };
  }
  return confirm(call, prepared, run, decision);
}

/** Asks the rules once more just before the call is sent, because they may have changed while the reviewer decided. */
async function confirm(
  call: SandboxCall,
  { tool, binding, judged: { original } }: PreparedCall,
  run: CallContext,
  before: Decision,
): Promise<Permission> {
  const completed = await inputStep(call, run, (meter) =>
    run.policies.complete(run.caller, tool, original, { fresh: true, meter }),
  );
  if (completed === undefined) return { type: 'changed' };
  const now = await run.policies.decide(run.caller, tool, completed);
  // An approval stays in the journal as the reason, even if a rule allows the call by now.
  if (now.decision === 'deny' || now.decision === before.decision) noteDecision(call, tool, now, run);
  if (now.decision === 'deny') return refused(call, now);
  // A new rule looks at a field whose default is not in the request yet.
  if ((await inputStep(call, run, () => bindingOf({ tool }, completed.sent))) !== binding)
    return { type: 'changed' };
  const stricter = before.decision === 'allow' && now.decision === 'requireApproval';
  return stricter ? { type: 'changed' } : { type: 'granted' };
}

async function approval(
  call: SandboxCall,
  prepared: PreparedCall,
  asked: AskedState,
  run: CallContext,
): Promise<Permission> {
  const answer = await run.answerTo(call.index, asked);
  if (answer.type === 'expired') {
    return {
      type: 'refused',
      result: toolDenied(`Nobody approved ${call.path} in time.`, { code: 'expired' }),
    };
  }
  if (answer.event.action === 'deny') return { type: 'refused', result: deniedBy(call, answer.event) };
  const current = await run.catalog.seek(run.caller.workspaceId, call.path, { fresh: true });
  if (current && bindingOf(current, prepared.input) === asked.binding) {
    // The prepared call is what would be sent. It may be older than what the reviewer was shown.
    return { type: prepared.binding === asked.binding ? 'granted' : 'changed' };
  }
  run.withdraw(call.index, asked, 'the request has changed, so Executor asks again');
  return { type: 'changed' };
}

async function askForApproval(
  call: SandboxCall,
  prepared: PreparedCall,
  past: CallState,
  run: CallContext,
): Promise<AskedState | CallResult> {
  const { tool, input, judged, binding } = prepared;
  const shown = shownInput(prepared);
  // A rule would store the secret part of the input.
  const remember = shown === input ? await run.policies.ruleToRemember(run.caller, tool, judged) : undefined;
  const expiresAt = await run.answerUntil();
  try {
    await run.takeQuestion();
  } catch (error) {
    return overQuota(call, error);
  }
  return run.ask(call, past, {
    kind: 'approval',
    prompt: `Allow ${tool.path} (${tool.effect})?`,
    toolPath: tool.path,
    effect: tool.effect,
    input: JSON.stringify(shown),
    request: shownRequest(prepared, run),
    binding,
    ...(remember && { remember }),
    ...(expiresAt && { expiresAt }),
  });
}

/** The audit shows writes that no reviewer was asked about. Without room for the entry, the call is refused. */
async function auditAllowedWrite(
  { index, path }: SandboxCall,
  { tool }: PreparedCall,
  { decision, reason, policyId }: Decision,
  past: CallState,
  run: CallContext,
): Promise<{ audit?: NewAuditEntry[] } | { refusal: CallResult }> {
  if (decision !== 'allow' || tool.effect === 'read' || past.decided?.decision === 'allow') return {};
  try {
    await run.takeAuditRow();
  } catch (error) {
    return { refusal: overQuota({ path }, error) };
  }
  const { executionId, principal, clock } = run;
  const details = {
    executionId,
    path: tool.path,
    effect: tool.effect,
    reason,
    ...(policyId && { policyId }),
  };
  const what = { action: 'call.allowed', target: `${executionId}.${index}`, details };
  return { audit: [auditEntry(principal, clock.now(), what)] };
}

function refused({ path }: SandboxCall, decision: Decision): Permission {
  return { type: 'refused', result: deniedByRule(path, decision) };
}

function deniedBy({ path }: SandboxCall, { reason, actorId }: ResolvedEvent): CallResult {
  const why = reason ? `: ${asSentence(reason)}` : '.';
  return toolDenied(`A person denied ${path}${why} Do not try the same again.`, {
    code: 'denied',
    by: 'person',
    actorId,
    ...(reason && { reason }),
  });
}

function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Lets the source check whether it can make a request of the call, before a reviewer is asked. Nothing is sent. */
async function refusedBySource(
  { source, tool, input, settings, auth }: PreparedCall,
  run: CallContext,
): Promise<CallResult | undefined> {
  const { workspaceId } = run.caller;
  const credentials = credentialNamesOf(auth);
  const check = async () =>
    source.check?.(
      { tool, input, settings },
      { workspaceId, credentials, hasArtifact: (id) => run.hasArtifact(id) },
    );
  try {
    const problem = await run.withRetry(check);
    return problem && toolError(problem.message, problem.details);
  } catch (error) {
    return toolError(`${tool.path} failed: ${reasonOf(error)}`, { code: 'failed' });
  }
}
