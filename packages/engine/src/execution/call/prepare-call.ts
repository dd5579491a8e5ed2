import { createHash } from 'node:crypto';
import { composeAuth } from '../../auth/compose-auth.ts';
import { credentialsMissing } from '../../auth/credentials-missing.ts';
import type { FoundTool } from '../../catalog/catalog.ts';
import { fieldsInQuestion } from '../../catalog/description/fields-in-question.ts';
import { noSuchTool } from '../../catalog/description/no-such-tool.ts';
import type { JudgedInput } from '../../policy/judged-input.ts';
import type { CallResult, SandboxCall } from '../../ports/sandbox.ts';
import type { Auth, Tool } from '../../ports/source.ts';
import type { InvalidInput } from '../../validation/input-validator.ts';
import type { CallContext } from './call-context.ts';
import { deniedByRule, toolError } from './call-result.ts';
import { inputStep } from './input-step.ts';
import { noteDecision } from './note-decision.ts';

/** A call that could be sent: its tool exists, and its input and credentials are complete. */
export interface PreparedCall extends FoundTool {
  /** What is sent, with the documented defaults of all fields that rules look at. */
  input: unknown;
  /** The same as rules judge it. */
  judged: JudgedInput;
  /** A hash of everything that decides what is sent and where. An approval is valid only for the same hash. */
  binding: string;
  auth: Auth;
}

/** Finds the tool, checks the input and composes credentials, so that no reviewer is asked about a call that cannot work. */
export async function prepareCall(call: SandboxCall, run: CallContext): Promise<PreparedCall | CallResult> {
  const { path, input } = call;
  const found = await findTool(path, run);
  if (found === undefined) return unknownTool(path, input, run);
  const value = await inputStep(call, run, (): unknown => JSON.parse(input));
  const checked = await inputStep(call, run, () => run.validator.check(found.tool, value));
  if (checked.type === 'invalid')
    return (await denied(call, found.tool, value, run)) ?? invalidInput(found.tool, checked, run);
  const composed = composeAuth(found.access, found.tool.security);
  if (composed.type === 'missing')
    return (await denied(call, found.tool, checked.input, run)) ?? credentialsMissing(found, composed);
  const { auth } = composed;
  const judged = await inputStep(call, run, (meter) =>
    run.policies.complete(run.caller, found.tool, checked.input, { meter }),
  );
  if (judged === undefined)
    return (await denied(call, found.tool, checked.input, run)) ?? tooComplex(found.tool);
  const binding = await inputStep(call, run, () => bindingOf(found, judged.sent));
  return { ...found, input: judged.sent, judged, binding, auth };
}

export async function findTool(
  path: string,
  { catalog, caller }: CallContext,
): Promise<FoundTool | undefined> {
  return catalog.find(caller.workspaceId, path) ?? (await catalog.seek(caller.workspaceId, path));
}

/** An error about the input describes the tool. Callers must not learn that of a denied tool. */
async function denied(
  call: SandboxCall,
  tool: FoundTool['tool'],
  input: unknown,
  run: CallContext,
): Promise<CallResult | undefined> {
  const decided = await run.policies.decide(run.caller, tool, input);
  if (decided.decision !== 'deny') return undefined;
  noteDecision(call, tool, decided, run);
  return deniedByRule(tool.path, decided);
}

/** Maximum length of the signature in an error. */
const signatureChars = 700;

async function invalidInput(
  tool: FoundTool['tool'],
  { message, details }: InvalidInput,
  { printer, meter }: CallContext,
): Promise<CallResult> {
  const fields = fieldsInQuestion(
    details.problems.map(({ field, problem }) => `${field} ${problem}`).join('\n'),
  );
  const { signature } = await printer.print(tool, { signature: { maxChars: signatureChars, fields } }, meter);
  return toolError(`${tool.path}: ${message}\ntools.${tool.path}: ${signature}`, {
    code: 'invalidInput',
    ...details,
    signature,
  });
}

/** A rule may look at any of the defaults, so none may be left out. */
function tooComplex({ path }: FoundTool['tool']): CallResult {
  return toolError(
    `${path}: the defaults of this input take too long to find. Make the input smaller, or pass all fields.`,
    { code: 'invalidInput' },
  );
}

/** The fields of a wrong call by which suggestions are ranked. A large input is not read for them. */
const maxFields = 20;
const maxParsed = 16 * 1024;

async function unknownTool(
  path: string,
  input: string,
  { descriptions, caller, meter }: CallContext,
): Promise<CallResult> {
  const fields = input.length > maxParsed ? [] : Object.keys(JSON.parse(input) ?? {}).slice(0, maxFields);
  // Denied tools are not suggested, even to a person: agents may read the error.
  const near = await descriptions.nearest({ ...caller, kind: 'agent', meter }, { path, fields });
  return toolError(noSuchTool(path, near), {
    code: 'unknownTool',
    ...(near.tools[0] && { nearest: near.tools[0].path, candidates: near.tools }),
  });
}

/** The effect is part of it, because users change it and reviewers decide by it. */
export function bindingOf(
  { tool }: { tool: Pick<Tool, 'path' | 'version' | 'origin' | 'effect' | 'repeatable'> },
  input: unknown,
): string {
  const parts = [tool.path, input, tool.version, tool.origin, tool.effect, tool.repeatable];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32);
}
