import {
  artifactValue,
  type CallAnswer,
  type CallProblem,
  type Invocation,
  type JsonReader,
} from '@executor/engine';
import type { HttpResponse } from '../../http/http-client.ts';
import { BodyRoom } from '../../response/body-room.ts';
import { errorOutcome } from '../../response/error-outcome.ts';
import { ResponseTooLargeError, readWhole } from '../../response/limited-body.ts';
import { parseMediaType } from '../../response/media-type.ts';
import { JsonTooDeepError, readJson } from '../../response/read-json.ts';
import type { FieldPlan } from '../field-plan.ts';
import { errorSentence, type GraphQlError, graphQlErrors } from './graphql-errors.ts';
import { type JsonAnswer, jsonAnswer } from './json-answer.ts';

export interface AnswerContext extends Pick<Invocation, 'putArtifact' | 'allowAnswer'> {
  plan: FieldPlan;
  maxBytes: number | undefined;
  jsonReader: JsonReader;
  unauthenticated: boolean;
  now: number;
}

const defaultMaxBytes = 10 * 1024 * 1024;

/** Converts a response to the value of the field that was called, or to an error. */
export async function readAnswer(
  response: HttpResponse,
  context: AnswerContext,
): Promise<CallAnswer | CallProblem> {
  const { status } = response;
  if (status < 200 || status >= 300) return errorOutcome(response, context);
  try {
    const json = await bodyJson(response, context);
    const answer = json === undefined ? undefined : jsonAnswer(json);
    if (answer === undefined || !['data', 'errors'].some((key) => answer.members.has(key)))
      return noAnswer(response, context);
    return await outcomeOf(answer, status, context);
  } catch (error) {
    if (error instanceof JsonTooDeepError)
      return { type: 'error', message: error.message, details: { status, code: 'resultTooLarge' } };
    if (!(error instanceof ResponseTooLargeError)) throw error;
    const details = { status, code: 'answerTooLarge', limit: error.limit };
    return { type: 'error', message: error.message, details };
  }
}

/** Undefined if the body is not JSON. The media type is not trusted. */
async function bodyJson(
  response: HttpResponse,
  { maxBytes = defaultMaxBytes, allowAnswer, jsonReader }: AnswerContext,
): Promise<string | undefined> {
  const room = new BodyRoom(allowAnswer, response.length);
  const bytes = await readWhole(response.body, { maxBytes, room });
  const charset = parseMediaType(response.headers['content-type']).parameters.get('charset');
  try {
    return await readJson(bytes, charset, jsonReader);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function noAnswer({ url, status, headers }: HttpResponse, { plan }: AnswerContext): CallProblem {
  const { type } = parseMediaType(headers['content-type']);
  const doubt = plan.operation === 'query' ? '' : ' It is not known whether the call took effect.';
  return {
    type: 'error',
    message: `${new URL(url).host} did not answer with a GraphQL response${type && ` but with ${type.slice(0, 100)}`}. Check the URL of the source.${doubt}`,
    details: { status, code: 'notGraphQl' },
  };
}

async function outcomeOf(
  { members, data }: JsonAnswer,
  status: number,
  context: AnswerContext,
): Promise<CallAnswer | CallProblem> {
  const json = data?.get(context.plan.field) ?? 'null';
  const found = graphQlErrors(members.get('errors'));
  if (found.count === 0) return { type: 'json', json };
  const { errors } = found;
  const code = errors[0]?.code ?? 'graphqlError';
  const partial = json === 'null' ? {} : { data: await partialData(json, context) };
  return {
    type: 'error',
    message: `${errorSentence(found)}.${json === 'null' ? doubtOf(context.plan, errors) : partialNote(context.plan)}`,
    details: { status, code, errors, ...partial },
  };
}

/** An error below the field of a mutation occurs when its result is read, after it was executed. */
function doubtOf({ operation, field }: FieldPlan, errors: GraphQlError[]): string {
  const isBelow = errors.some(({ path }) => path?.startsWith(`${field}.`));
  return operation === 'mutation' && isBelow ? ' It is not known whether the call took effect.' : '';
}

function partialNote({ operation }: FieldPlan): string {
  const rest = 'The other part of the result is in `error.details.data`.';
  return operation === 'query'
    ? ` ${rest} Leave a field out with \`select\`.`
    : ` ${rest} The mutation was executed: do not repeat it.`;
}

/** The part of an error that is stored with it. */
const maxPartialChars = 64 * 1024;

async function partialData(json: string, { putArtifact }: AnswerContext): Promise<unknown> {
  if (json.length <= maxPartialChars) return JSON.parse(json);
  const handle = await putArtifact({ bytes: Buffer.from(json), mediaType: 'application/json' });
  return artifactValue(
    handle,
    'The part of the result without errors is large, so it is stored as an artifact.',
  );
}
