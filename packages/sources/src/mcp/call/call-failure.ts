import type { CallProblem, Invocation } from '@executor/engine';
import { RequestError } from '../../call/request-error.ts';
import { privateAddressSentence, UnreachableError } from '../../http/unreachable-error.ts';
import { ResponseTooLargeError } from '../../response/limited-body.ts';
import type { HttpFailure } from '../connection/http-fetch.ts';
import { ConnectError } from '../connection/open-session.ts';
import { UnaskableError } from './elicitation-request.ts';
import { shortText } from './short-text.ts';

/** Why a call has no result, as the code gets it. */
export function failureOf(
  thrown: unknown,
  { tool, settings }: Invocation,
  { sent }: { sent: boolean },
): CallProblem {
  const [namespace = ''] = tool.path.split('.');
  const { status = statusOf(thrown), error = thrown } =
    thrown instanceof ConnectError ? thrown.failure : ({} as HttpFailure);
  const doubt = !sent || tool.repeatable ? '' : ' It is not known whether the call took effect.';
  if (error instanceof UnreachableError) {
    const reason = error.refused ? privateAddressSentence(error.refused, namespace) : error.message;
    return problem(`${reason}${error.mayHaveArrived ? doubt : ''}`, error.code);
  }
  if (error instanceof ResponseTooLargeError) return problem(`${error.message}${doubt}`, 'answerTooLarge');
  if (error instanceof UnaskableError) return problem(error.message, 'unaskable');
  if (error instanceof RequestError) return problem(error.message, 'invalidRequest');
  if (status === 401 || status === 403)
    return problem(
      `${tool.path} was refused with ${status}. Set other credentials with: executor sources edit ${namespace}`,
      'unauthorized',
      { status },
    );
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  const text = shortText(typeof message === 'string' ? message : String(error), 2_000);
  // A JSON-RPC error is an answer, so there is no doubt.
  if (typeof code === 'number') return problem(text, 'serverError', { rpcCode: code });
  const log = settings.command === undefined ? '' : ` Its log: executor sources logs ${namespace}`;
  return problem(
    `${tool.path} failed: ${sentence(text)}${doubt}${log}`,
    'connectionFailed',
    status === undefined ? {} : { status },
  );
}

/** The HTTP status in an error of the SDK. */
export function statusOf(error: unknown): number | undefined {
  const { status } = Object(error) as { status?: unknown };
  return typeof status === 'number' ? status : undefined;
}

function problem(message: string, code: string, details: Record<string, unknown> = {}): CallProblem {
  return { type: 'error', message, details: { ...details, code } };
}

export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
