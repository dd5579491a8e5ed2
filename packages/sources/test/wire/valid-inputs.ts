import type { Tool } from '@executor/engine';
import { InputValidator } from '../../../engine/src/validation/input-validator.ts';
import { generateInput } from './generate-input.ts';

type Size = 'minimal' | 'maximal';
type Path = (string | number)[];

const choices = 8;
const maxRemovals = 40;
const validator = new InputValidator();

/** Inputs that the engine accepts, with defaults filled in. Each chooses other alternatives. */
export function* validInputs(tool: Tool, size: Size): Generator<{ value: unknown }, string> {
  let problem = '';
  let hasValid = false;
  for (let choice = 0; choice < choices; choice++) {
    const generated = generateInput(tool, { size, choice });
    const found = check(tool, generated);
    const value = 'value' in found ? found.value : withoutImpossible(tool, generated);
    if (value === undefined) problem ||= 'message' in found ? found.message : '';
    else {
      hasValid = true;
      yield { value };
    }
  }
  return hasValid ? '' : problem;
}

/** The input without the property at the path, then without each property that contains it, as far as the result is valid. */
export function* withoutProperty(tool: Tool, input: unknown, path: Path): Generator<unknown> {
  for (let length = path.length; length > 0; length--) {
    const less = without(input, path.slice(0, length));
    const found = less !== undefined && check(tool, less);
    if (found && 'value' in found) yield found.value;
  }
}

/** Removes optional properties that have no valid value. */
function withoutImpossible(tool: Tool, generated: unknown): unknown {
  let input = generated;
  for (let count = 0; count < maxRemovals; count++) {
    const found = check(tool, input);
    if ('value' in found) return found.value;
    const less = fewerProblems(tool, input, found);
    if (less === undefined) return undefined;
    input = less;
  }
  return undefined;
}

function fewerProblems(
  tool: Tool,
  input: unknown,
  { problems, message }: { message: string; problems: Path[] },
): unknown {
  const [path = []] = problems.toSorted((a, b) => b.length - a.length);
  // If fields exclude each other, the problem is reported for the whole input, and any field may be the one to remove.
  const candidates =
    path.length > 0
      ? path.map((_, index) => path.slice(0, path.length - index))
      : Object.keys((input ?? {}) as object).map((key) => [key]);
  let fallback: unknown;
  for (const candidate of candidates) {
    const less = without(input, candidate);
    if (less === undefined) continue;
    const found = check(tool, less);
    if ('value' in found || found.problems.length < problems.length) return less;
    // If three fields exclude each other, two remain after this step.
    const isNearer = path.length === 0 && found.problems.length === problems.length;
    if (isNearer && found.message !== message && tooMany.test(found.message)) fallback ??= less;
  }
  return fallback;
}

const tooMany = /fits \d+ of them$/;

type Found = { value: unknown } | { message: string; problems: Path[] };

function check(tool: Tool, input: unknown): Found {
  const checked = validator.check(tool, input);
  if (checked.type === 'valid') return { value: checked.input };
  return {
    message: checked.message,
    problems: checked.details.problems.map(({ field }) => pathOf(field)),
  };
}

/** Splits `input.labels[0]["a b"]` into steps. */
function pathOf(field: string): Path {
  const steps = field.matchAll(/\.([A-Za-z_$][\w$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g);
  return [...steps].map(([, name, index, quoted]) =>
    name !== undefined ? name : index !== undefined ? Number(index) : (JSON.parse(quoted ?? '""') as string),
  );
}

/** A copy without the property at the path. Only the objects on the path are copied. Undefined if there is no such property. */
function without(input: unknown, [step, ...below]: Path): unknown {
  if (typeof input !== 'object' || input === null || step === undefined || !Object.hasOwn(input, step))
    return undefined;
  const value = input as Record<string, unknown>;
  if (below.length === 0) {
    if (typeof step !== 'string') return undefined;
    const { [step]: _, ...others } = value;
    return others;
  }
  const inner = without(value[step], below);
  if (inner === undefined) return undefined;
  return Array.isArray(input) ? input.with(Number(step), inner) : { ...value, [step]: inner };
}
