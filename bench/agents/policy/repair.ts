import { convert } from './arguments.ts';
import { reviewed } from './choose.ts';
import { knownTool, type StepState } from './plan.ts';
import { signatureIn, toolsNamedIn } from './reading.ts';
import { readSignature } from './type-text.ts';
import { isKnown, leavesOf, unknown } from './types.ts';
import { nameFit } from './words.ts';

/**
 * Changes what the agent knows about a step by what an error message says. Returns whether it learned anything: an error
 * that comes a second time teaches nothing.
 */
export function learnFrom(message: string, state: StepState): boolean {
  // What follows the first line shows tools. It describes no error.
  const [sentence = ''] = message.split('\n', 1);
  const count = (state.errors.get(sentence) ?? 0) + 1;
  state.errors.set(sentence, count);
  if (count > 1) return nextCandidate(state);
  const showedMore = readSignatureAgain(message, state);
  if (wrongPath(message, state)) return true;
  return (
    lessons.some((lesson) => lesson(sentence, state)) ||
    (showedMore && !lacksValues(state)) ||
    nextCandidate(state)
  );
}

const name = '["\'`]{0,2}(?:input\\.)?([A-Za-z_$][\\w$.[\\]-]*?)["\'`]{0,2}';
type Lesson = (message: string, state: StepState) => boolean;

const lessons: Lesson[] = [
  rateLimit,
  wrongShape,
  unknownField,
  wrongChoice,
  wrongBound,
  wrongType,
  missingField,
];

function wrongPath(message: string, state: StepState): boolean {
  if (!/no tool|not a tool|unknown tool|is a namespace|not a function/i.test(message)) return false;
  const path = toolsNamedIn(message).find(
    (named) => named !== state.tool?.path && !state.rejected.has(named),
  );
  if (path === undefined || state.tool === undefined) return false;
  state.rejected.add(state.tool.path);
  const shown = state.candidates.find((candidate) => candidate.path === path);
  const signature = signatureIn(message, path);
  const candidate = { ...(shown ?? state.tool), path, ...(signature !== undefined && { signature }) };
  state.tool = knownTool(candidate);
  return true;
}

/** An error often shows the signature of the tool. Learns from it if it says more than the one before. */
function readSignatureAgain(message: string, state: StepState): boolean {
  const { tool } = state;
  const signature = tool && signatureIn(message, tool.path);
  if (!tool || signature === undefined || signature === tool.signature) return false;
  const types = readSignature(signature);
  if (JSON.stringify(types.input) === JSON.stringify(tool.types.input)) return false;
  const output = isKnown(tool.types.output) ? tool.types.output : types.output;
  state.tool = { ...tool, signature, types: { ...types, output } };
  return true;
}

/** Whether the tool requires something that the step does not have. */
function lacksValues({ step, tool }: StepState): boolean {
  return tool !== undefined && reviewed(step, tool).missing > 0;
}

function rateLimit(message: string, state: StepState): boolean {
  if (!/\b429\b|too many requests|rate limit/i.test(message)) return false;
  const seconds = /(\d+)\s*(?:s\b|sec)/i.exec(message)?.[1];
  state.waitMs = Math.min(Number(seconds ?? 2), 30) * 1000;
  return true;
}

/** The code took the answer for something that it is not. */
function wrongShape(message: string, state: StepState): boolean {
  if (state.wantsLook || state.step.take === undefined) return false;
  const isShape =
    /is not a function|is not iterable|cannot read propert|of undefined|of null|is undefined|not an array|has no field|does not exist on type/i;
  if (!isShape.test(message)) return false;
  state.wantsLook = true;
  return true;
}

function unknownField(message: string, state: StepState): boolean {
  const wrong =
    new RegExp(
      `${name} (?:is unknown|is not (?:a )?known|is not allowed|is not supported|is unexpected|does not exist in type)`,
      'i',
    ).exec(message)?.[1] ??
    new RegExp(
      `(?:unknown|unexpected|unrecognized|unsupported|invalid) (?:field|parameter|property|key|argument)s?:? ${name}(?:[\\s,;.]|$)`,
      'i',
    ).exec(message)?.[1];
  if (wrong === undefined) return false;
  const right = new RegExp(`did you mean ${name}\\?`, 'i').exec(message)?.[1];
  const value = valueIn(wrong, state);
  if (right !== undefined && value !== undefined) state.fixes.fields.set(value, right);
  else {
    state.fixes.dropped.add(wrong);
    state.fixes.codes.delete(wrong);
    if (value !== undefined) state.fixes.fields.delete(value);
  }
  return true;
}

function wrongChoice(message: string, state: StepState): boolean {
  const found = new RegExp(`${name} (?:must|should|has to) be (?:one of|either):? ?(.+)`, 'i').exec(message);
  if (!found) return false;
  const [, field = '', list = ''] = found;
  const choices =
    list
      .split(/[.;](?:\s|$)/)[0]
      ?.match(/"[^"]+"|'[^']+'|`[^`]+`|[\w-]+/g)
      ?.map((one) => one.replace(/^["'`]|["'`]$/g, '')) ?? [];
  const valueName = valueIn(field, state);
  const wanted = String(valueName === undefined ? state.step.do : (state.step.values?.[valueName] ?? ''));
  const best = choices
    .filter((one) => one !== 'or')
    .toSorted((one, other) => nameFit(wanted, other) - nameFit(wanted, one))[0];
  if (best === undefined) return false;
  state.fixes.codes.set(field, JSON.stringify(best));
  return true;
}

function wrongBound(message: string, state: StepState): boolean {
  const found = new RegExp(
    `${name} (?:must|should|has to|may|can) (?:not )?be (?:at most|at least|<=|>=|less than or equal to|no more than|greater than|between \\d+ and|from \\d+ to|\\d+ to) ?(\\d+)`,
    'i',
  ).exec(message);
  if (!found) return false;
  const [, field = '', bound = ''] = found;
  state.fixes.codes.set(field, bound);
  return true;
}

function wrongType(message: string, state: StepState): boolean {
  const found = new RegExp(
    `${name} (?:must|should|has to) be (?:an? )?(string|text|integer|number|boolean|array|list|object)`,
    'i',
  ).exec(message);
  if (!found) return false;
  const [, field = '', type = ''] = found;
  const valueName = valueIn(field, state);
  const value = valueName === undefined ? undefined : state.step.values?.[valueName];
  if (value === undefined || typeof value === 'object') return false;
  const kinds: Record<string, 'string' | 'number' | 'boolean'> = {
    string: 'string',
    text: 'string',
    integer: 'number',
    number: 'number',
    boolean: 'boolean',
  };
  const kind = kinds[type.toLowerCase()];
  const expression = { code: JSON.stringify(value), value, isReference: false };
  const wanted = kind
    ? ({ kind: 'primitive', name: kind } as const)
    : ({ kind: 'array', items: unknown } as const);
  const code = convert(expression, wanted);
  if (code === undefined || String(value).startsWith('@')) return false;
  state.fixes.codes.set(field, code);
  return true;
}

function missingField(message: string, state: StepState): boolean {
  const field =
    new RegExp(`${name} (?:is required|is missing|must be (?:given|set|present)|can.t be blank)`, 'i').exec(
      message,
    )?.[1] ??
    new RegExp(
      `(?:missing|requires?|needs?) (?:the )?(?:required )?(?:field|parameter|property|argument)?s? ?${name}(?:[\\s,;.]|$)`,
      'i',
    ).exec(message)?.[1];
  if (field === undefined) return false;
  const free = Object.keys(state.step.values ?? {}).filter((one) => !state.fixes.fields.has(one));
  const last = field.split('.').at(-1) ?? field;
  const best = free.toSorted((one, other) => nameFit(other, last) - nameFit(one, last))[0];
  if (best === undefined || nameFit(best, last) < 0.3) return false;
  state.fixes.fields.set(best, field);
  return true;
}

/** The value of the task that the field of an input has. */
function valueIn(field: string, { step, tool }: StepState): string | undefined {
  const last = field.split('.').at(-1) ?? field;
  const names = Object.keys(step.values ?? {});
  const best = names.toSorted((one, other) => nameFit(other, last) - nameFit(one, last))[0];
  const isField = tool !== undefined && leavesOf(tool.types.input).some(({ name: known }) => known === last);
  return best !== undefined && nameFit(best, last) >= (isField ? 0.4 : 0.3) ? best : undefined;
}

/** Gives up the tool and takes the next one that the search found. */
function nextCandidate(state: StepState): boolean {
  if (state.tool) state.rejected.add(state.tool.path);
  const { needsApproval } = state.tool ?? {};
  const next = state.candidates.find(
    (one) => !state.rejected.has(one.path) && one.needsApproval === needsApproval,
  );
  if (!next || state.rejected.size > 3) return false;
  state.tool = knownTool(next);
  state.wantsLook = false;
  state.fixes.fields.clear();
  state.fixes.codes.clear();
  state.fixes.dropped.clear();
  return true;
}
