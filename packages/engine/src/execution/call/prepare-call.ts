import { createHash } from 'node:crypto';
import { composeAuth } from '../../auth/compose-auth.ts';
import { credentialsMissing } from '../../auth/credentials-missing.ts';
import type { FoundTool } from '../../catalog/catalog.ts';
import { noSuchTool } from '../../catalog/description/no-such-tool.ts';
import { signatureOf } from '../../catalog/signature/signature.ts';
import type { CallResult, SandboxCall } from '../../ports/sandbox.ts';
import type { Auth, Tool } from '../../ports/source.ts';
import type { InvalidInput } from '../../validation/input-validator.ts';
import type { CallContext } from './call-context.ts';
import { deniedByRule, toolError } from './call-result.ts';
import { noteDecision } from './note-decision.ts';

/** A call that could be sent: its tool exists, and its input and credentials are complete. */
export interface PreparedCall extends FoundTool {
  input: unknown;
  /** A hash of everything that decides what is sent and where. An approval is valid only for the same hash. */
  binding: string;
  auth: Auth;
}

/** Finds the tool, checks the input and composes credentials, so that no reviewer is asked about a call that cannot work. */
export async function prepareCall(call: SandboxCall, run: CallContext): Promise<PreparedCall | CallResult> {
  const { path, input } = call;
  const found = await findTool(path, run);
  if (found === undefined) return unknownTool(path, run);
  const value: unknown = JSON.parse(input);
  const checked = run.validator.check(found.tool, value);
  if (checked.type === 'invalid')
    return (await denied(call, found.tool, value, run)) ?? invalidInput(found.tool, checked);
  const composed = composeAuth(found.access, found.tool.security);
  if (composed.type === 'missing')
    return (await denied(call, found.tool, checked.input, run)) ?? credentialsMissing(found, composed);
  const { auth } = composed;
  return { ...found, input: checked.input, binding: bindingOf(found, checked.input), auth };
}

async function findTool(path: string, { catalog, caller }: CallContext): Promise<FoundTool | undefined> {
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

function invalidInput(tool: FoundTool['tool'], { message, details }: InvalidInput): CallResult {
  const signature = signatureOf(tool, { maxChars: signatureChars });
  return toolError(`${tool.path}: ${message}\ntools.${tool.path}: ${signature}`, {
    code: 'invalidInput',
    ...details,
    signature,
  });
}

async function unknownTool(path: string, { descriptions, caller }: CallContext): Promise<CallResult> {
  // Denied tools are not suggested, even to a person: agents may read the error.
  const near = await descriptions.nearest({ ...caller, kind: 'agent' }, path);
  return toolError(noSuchTool(path, near), {
    code: 'unknownTool',
    ...(near.tools[0] && { nearest: near.tools[0].path, candidates: near.tools }),
  });
}

/** The input as reviewers see it, without secrets. */
export function shownInput({
  source,
  tool,
  input,
}: Pick<PreparedCall, 'source' | 'tool' | 'input'>): unknown {
  return source.shownInput ? source.shownInput(tool, input) : input;
}

/** The same for a call that can no longer be prepared. If the tool is gone, nothing says which parts are secret. */
export async function shownOfCall({ path, input }: SandboxCall, run: CallContext): Promise<unknown> {
  const found = await findTool(path, run);
  const value: unknown = JSON.parse(input);
  return found ? shownInput({ ...found, input: value }) : value;
}

export function bindingOf(
  { tool }: { tool: Pick<Tool, 'path' | 'version' | 'origin'> },
  input: unknown,
): string {
  const parts = [tool.path, input, tool.version, tool.origin];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32);
}
