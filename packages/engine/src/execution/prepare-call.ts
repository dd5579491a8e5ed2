import { createHash } from 'node:crypto';
import { composeAuth } from '../auth/compose-auth.ts';
import { credentialsMissing } from '../auth/credentials-missing.ts';
import type { FoundTool } from '../catalog/catalog.ts';
import { noSuchTool } from '../catalog/description/no-such-tool.ts';
import { signatureOf } from '../catalog/signature/signature.ts';
import type { CallResult, SandboxCall } from '../ports/sandbox.ts';
import type { Auth, Tool } from '../ports/source.ts';
import type { InvalidInput } from '../validation/input-validator.ts';
import type { CallContext } from './call-context.ts';
import { deniedByRule, toolError } from './call-result.ts';
import { noteDecision } from './note-decision.ts';

/** A call that could be sent: its tool is there and its input is right and complete. */
export interface PreparedCall extends FoundTool {
  input: unknown;
  /** A hash of all that decides what is sent and where; an approval holds for nothing else. */
  binding: string;
  auth: Auth;
}

/** Finds the tool, checks the input and looks for credentials, so that nobody is asked about a call that cannot work. */
export async function prepareCall(call: SandboxCall, run: CallContext): Promise<PreparedCall | CallResult> {
  const { path, input } = call;
  const found = await findTool(path, run);
  if (found === undefined) return unknownTool(path, run);
  const given: unknown = JSON.parse(input);
  const checked = run.validator.check(found.tool, given);
  if (checked.type === 'invalid')
    return (await denied(call, found.tool, given, run)) ?? invalidInput(found.tool, checked);
  const composed = composeAuth(found.access, found.tool.security);
  if (composed.type === 'missing')
    return (await denied(call, found.tool, checked.input, run)) ?? credentialsMissing(found, composed);
  const { auth } = composed;
  return { ...found, input: checked.input, binding: bindingOf(found, checked.input), auth };
}

async function findTool(path: string, { catalog, caller }: CallContext): Promise<FoundTool | undefined> {
  return catalog.find(caller.workspaceId, path) ?? (await catalog.seek(caller.workspaceId, path));
}

/** What is wrong with a call tells what would be right: of a denied tool nobody learns that. */
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

/** How long what is told of the right call may be: an error is read in one piece. */
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
  // What is denied is not named, whoever runs the code.
  const near = await descriptions.nearest({ ...caller, kind: 'agent' }, path);
  return toolError(noSuchTool(path, near), {
    code: 'unknownTool',
    ...(near.tools[0] && { nearest: near.tools[0].path, candidates: near.tools }),
  });
}

/** What of the input is kept where people see it: the very same, unless there is something secret in it. */
export function shownInput({
  source,
  tool,
  input,
}: Pick<PreparedCall, 'source' | 'tool' | 'input'>): unknown {
  return source.shownInput ? source.shownInput(tool, input) : input;
}

/** The same of a call that could not be made any more. Of a tool that is gone nobody can say that there is something secret. */
export async function shownOfCall({ path, input }: SandboxCall, run: CallContext): Promise<unknown> {
  const found = await findTool(path, run);
  const given: unknown = JSON.parse(input);
  return found ? shownInput({ ...found, input: given }) : given;
}

export function bindingOf(
  { tool }: { tool: Pick<Tool, 'path' | 'version' | 'origin'> },
  input: unknown,
): string {
  const parts = [tool.path, input, tool.version, tool.origin];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32);
}
