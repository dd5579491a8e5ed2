import type { Answer, CallQuestion } from '@executor/engine';
import { refusalOf } from '../connection/open-session.ts';
import { type ElicitResult, questionOf, resultOf, UnaskableError } from './elicitation-request.ts';

/** How a call that asked questions goes on, perhaps in another process. */
interface InputState {
  /** Sent back to the server as it was. */
  requestState?: string;
  /** The questions that nobody has answered yet, by the server's names. The first one was asked. */
  open: [name: string, params: unknown][];
  answers: Record<string, ElicitResult>;
  round: number;
}

/** What a request is sent with to continue. */
export interface Continuation {
  requestState?: string;
  inputResponses: Record<string, ElicitResult>;
  round: number;
}

const maxRounds = 20;

/** Whether a result asks for something first, as servers of the stateless era do. */
export function asksForInput(result: Record<string, unknown>): boolean {
  return result.resultType === 'input_required';
}

/** What to do with such a result: ask, or send the request again if the server asked nothing. */
export function afterInputRequired(
  { inputRequests, requestState }: Record<string, unknown>,
  round: number,
): CallQuestion | Continuation {
  if (round >= maxRounds) throw new UnaskableError(`The server asked more than ${maxRounds} times.`);
  const open = Object.entries(Object(inputRequests) as Record<string, unknown>).map(
    ([name, request]): [string, unknown] => {
      const { method, params } = Object(request) as { method?: unknown; params?: unknown };
      if (method !== 'elicitation/create') throw new UnaskableError(refusalOf(String(method)));
      return [name, params];
    },
  );
  return next({
    ...(typeof requestState === 'string' && { requestState }),
    open,
    answers: {},
    round: round + 1,
  });
}

/** The next question of the same result, or the request with all answers. */
export function afterAnswer(state: unknown, answer: Answer): CallQuestion | Continuation {
  const { open, answers, ...others } = state as InputState;
  const [answered, ...left] = open;
  if (answered === undefined) return next({ ...others, open, answers });
  const [name, params] = answered;
  const all = Object.fromEntries([...Object.entries(answers), [name, resultOf(params, answer)]]);
  return next({ ...others, open: left, answers: all });
}

function next(state: InputState): CallQuestion | Continuation {
  const [first] = state.open;
  if (first) return { type: 'question', question: questionOf(first[1]), state };
  const { requestState, answers, round } = state;
  return { ...(requestState !== undefined && { requestState }), inputResponses: answers, round };
}
