import { ExecutorError } from '@executor/protocol';
import { Scrubber } from '../../auth/scrub.ts';
import type { SandboxCall } from '../../ports/sandbox.ts';
import type { Invocation, InvocationOutcome, TimeLimits } from '../../ports/source.ts';
import { secretsOf } from '../../source/secret-settings.ts';
import { secretsIn } from '../../source/url-secrets.ts';
import type { CallState } from '../run/run-state.ts';
import type { CallContext } from './call-context.ts';
import { answerFor, askInCall } from './call-question.ts';
import { CallReports } from './call-reports.ts';
import { codeOf, reasonOf } from './call-result.ts';
import { Deadline } from './deadline.ts';
import type { PreparedCall } from './prepare-call.ts';

const defaultTimeoutMs = 60_000;
const longestTimeoutMs = 10 * 60_000;
const defaultMaxMs = 30 * 60_000;
const longestMaxMs = 24 * 60 * 60_000;

/** How long a call may take. */
export function timeLimitsOf({ source, tool, input, settings }: PreparedCall): Required<TimeLimits> {
  const own = source.timeLimits?.({ tool, input, settings });
  const timeoutMs = Math.min(own?.timeoutMs ?? tool.timeoutMs ?? defaultTimeoutMs, longestTimeoutMs);
  return { timeoutMs, maxMs: Math.max(timeoutMs, Math.min(own?.maxMs ?? defaultMaxMs, longestMaxMs)) };
}

/** Sends a call that is prepared and permitted, within its time limits. */
export async function invokeSource(
  call: SandboxCall,
  prepared: PreparedCall,
  { attempt, limits, past }: { attempt: number; limits: Required<TimeLimits>; past: CallState },
  run: CallContext,
): Promise<InvocationOutcome> {
  const { tool, source, input, settings, auth, access } = prepared;
  const signal = run.room.isSent ? run.sentSignal : run.signal;
  const { timeoutMs, maxMs } = limits;
  const deadline = new Deadline(timeoutMs, { signal, clock: run.clock, maxMs });
  let artifactBytes = 0;
  const allowAnswer = async (bytes: number) => {
    // An upload is still needed.
    if (bytes === 0 && artifactBytes === 0) return run.room.drop();
    // The time that the call waits for memory does not count.
    deadline.pause();
    try {
      await run.room.allow(bytes);
    } finally {
      deadline.resume();
    }
  };
  const secrets = [
    ...secretsIn(settings.url),
    ...secretsIn(settings.baseUrl),
    ...secretsOf(source, settings),
  ];
  const scrubber = new Scrubber(access.auth, auth, secrets);
  const reports = new CallReports({
    index: call.index,
    clock: run.clock,
    clean: (text) => scrubber.text(text),
    // A report after the end of the run or of the call is late.
    record: (event) => !signal.aborted && !run.signal.aborted && !deadline.isOver && run.record(event),
  });
  const id = `${run.executionId}.${call.index}`;
  let artifacts = 0;
  let questions = 0;
  const invocation: Invocation = {
    tool,
    input,
    settings,
    sourceId: tool.sourceId,
    auth,
    ...resumedFrom(past),
    call: {
      workspaceId: run.caller.workspaceId,
      executionId: run.executionId,
      index: call.index,
      attempt,
      id,
    },
    ask: async (question) => {
      // The time that the reviewer takes does not count.
      deadline.pause();
      try {
        const answer = await askInCall(call, scrubber.question(question), questions++, past, {
          run,
          source,
          tool,
          input,
        });
        // From here on the call may have its effect, as if it were sent only now.
        if (!tool.repeatable) await run.commit(timeoutMs);
        return answer;
      } finally {
        deadline.restart();
      }
    },
    progress: (progress) => {
      reports.progress(progress);
      prolong(deadline, prepared.tool, limits, run);
    },
    log: (line) => reports.log(line),
    putArtifact: (artifact) =>
      run.putArtifact(scrubber.artifact(artifact), artifactName(call, past, artifacts++)),
    meter: run.meter,
    readArtifact: (id) =>
      run.readArtifact(id, (bytes) => {
        artifactBytes += bytes;
        return allowAnswer(artifactBytes);
      }),
    allowAnswer,
  };
  try {
    // A source that ignores the signal must not block the run.
    const attemptOnce = () => Promise.race([source.invoke(invocation, deadline.signal), deadline.end]);
    return scrubber.outcome(await (tool.repeatable ? run.withRetry(attemptOnce) : attemptOnce()));
  } catch (error) {
    if (deadline.passed) {
      const doubt = tool.repeatable ? '' : ' It is not known whether it succeeded.';
      return {
        type: 'error',
        message: `${tool.path} did not answer within ${deadline.allowedMs / 1000} s.${doubt}`,
        details: { code: 'timeout' },
      };
    }
    const message = `${tool.path} failed: ${scrubber.text(reasonOf(error))}`;
    return { type: 'error', message, details: detailsOf(error) };
  } finally {
    deadline.clear();
  }
}

/** The code may need to know which quota it reached. */
function detailsOf(error: unknown): Record<string, unknown> {
  const details = error instanceof ExecutorError && error.code === 'quotaExceeded' ? error.details : {};
  return { ...details, code: codeOf(error) };
}

/** Unique in the run. A call that continues after a question stores further artifacts. */
function artifactName({ index }: SandboxCall, { question }: CallState, number: number): string {
  return question ? `${index}_${question.ordinal}_${number}` : `${index}_${number}`;
}

/** The state and the answer of the last question with which the call suspended itself. */
function resumedFrom({ question }: CallState): Pick<Invocation, 'resumed'> {
  if (question?.state === undefined) return {};
  const { answer: event } = question;
  const answer = answerFor(event ? { type: 'answered', event } : { type: 'expired' });
  return { resumed: { state: JSON.parse(question.state), answer } };
}

/** Progress starts the timeout again. A lease must outlast a call that is not repeatable, so it is extended first. */
function prolong(
  deadline: Deadline,
  { repeatable }: { repeatable: boolean },
  { timeoutMs }: Required<TimeLimits>,
  run: CallContext,
): void {
  if (repeatable) deadline.prolong();
  if (repeatable || !deadline.startsProlonging(timeoutMs / 4)) return;
  run.commit(timeoutMs).then(
    () => deadline.prolong(),
    () => {},
  );
}
