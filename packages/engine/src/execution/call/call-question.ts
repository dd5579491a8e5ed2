import type { SandboxCall } from '../../ports/sandbox.ts';
import type { Answer, CallQuestion, Question } from '../../ports/source.ts';
import { type AskedState, type CallState, isQuestion } from '../run/run-state.ts';
import type { CallContext, ReviewerAnswer } from './call-context.ts';
import type { PreparedCall } from './prepare-call.ts';
import { shownInput } from './shown-call.ts';

/** How often one call may suspend itself to ask. */
const maxQuestions = 50;
const maxStateChars = 256 * 1024;

/** A question in the middle of a call. If the call is repeated after a rebuild, it gets its earlier answers in order. */
export async function askInCall(
  call: SandboxCall,
  question: Question,
  ordinal: number,
  past: CallState,
  { run, ...prepared }: { run: CallContext } & Pick<PreparedCall, 'source' | 'tool' | 'input'>,
): Promise<Answer> {
  const before = past.asked.filter(
    ({ kind, gone, ordinal: asked }) =>
      isQuestion(kind) && gone !== 'withdrawn' && asked > (past.question?.ordinal ?? -1),
  )[ordinal];
  if (before === undefined) await run.takeQuestion();
  const asked = before ?? run.ask(call, past, { ...questionRow(question, prepared), binding: '' });
  return answerFor(await run.answerTo(call.index, asked, { pinned: !prepared.tool.repeatable }));
}

/** Asks a question with which the call has suspended itself. The state is stored with it, so any process can continue the call. */
export async function askSuspended(
  call: SandboxCall,
  { question, state }: CallQuestion,
  prepared: PreparedCall,
  past: CallState,
  run: CallContext,
): Promise<AskedState> {
  const text = JSON.stringify(state) ?? 'null';
  if (text.length > maxStateChars) throw new Error('the state of its question is too large to be stored.');
  if (past.asked.length >= maxQuestions) throw new Error(`it asked more than ${maxQuestions} questions.`);
  await run.takeQuestion();
  return run.ask(call, past, {
    ...questionRow(question, prepared),
    binding: prepared.binding,
    state: text,
  });
}

export function answerFor(answer: ReviewerAnswer): Answer {
  if (answer.type === 'expired') return { type: 'expired' };
  return answer.event.action === 'submit'
    ? { type: 'submitted', data: answer.event.data }
    : { type: 'cancelled' };
}

function questionRow(
  { kind, prompt, request, expiresAt }: Question,
  prepared: Pick<PreparedCall, 'source' | 'tool' | 'input'>,
) {
  const { path: toolPath, effect } = prepared.tool;
  return {
    ...{ kind, prompt, toolPath, effect },
    input: JSON.stringify(shownInput(prepared)),
    request: request === undefined ? null : JSON.stringify(request),
    ...(expiresAt && { expiresAt }),
  };
}
