import { createHash } from 'node:crypto';
import { composeAuth } from '../auth/compose-auth.ts';
import { credentialsMissing } from '../auth/credentials-missing.ts';
import type { FoundTool } from '../catalog/catalog.ts';
import type { CallResult, SandboxCall } from '../ports/sandbox.ts';
import type { Auth, Tool } from '../ports/source.ts';
import type { CallContext } from './call-context.ts';
import { toolError } from './call-result.ts';

/** A call that could be sent: its tool is there and its input is right and complete. */
export interface PreparedCall extends FoundTool {
  input: unknown;
  /** A hash of all that decides what is sent and where; an approval holds for nothing else. */
  binding: string;
  auth: Auth;
}

/** Finds the tool, checks the input and looks for credentials, so that nobody is asked about a call that cannot work. */
export async function prepareCall(
  { path, input }: SandboxCall,
  run: CallContext,
): Promise<PreparedCall | CallResult> {
  const found = await findTool(path, run);
  if (found === undefined) return unknownTool(path, run);
  const checked = run.validator.check(found.tool, JSON.parse(input));
  if (checked.type === 'invalid') {
    return toolError(`${path}: ${checked.message}`, { code: 'invalidInput', ...checked.details });
  }
  const composed = composeAuth(found.access, found.tool.security);
  if (composed.type === 'missing') return credentialsMissing(found, composed);
  const { auth } = composed;
  return { ...found, input: checked.input, binding: bindingOf(found, checked.input), auth };
}

async function findTool(path: string, { catalog, caller }: CallContext): Promise<FoundTool | undefined> {
  return catalog.find(caller.workspaceId, path) ?? (await catalog.seek(caller.workspaceId, path));
}

async function unknownTool(path: string, run: CallContext): Promise<CallResult> {
  const { catalog, caller } = run;
  const nearest = await catalog.nearest(caller.workspaceId, path);
  const meant = nearest && (await isDenied(nearest, run)) ? undefined : nearest;
  const hint = meant
    ? `Did you mean tools.${meant}?`
    : 'tools.executor.sources.inspect({ namespace }) lists the tools of a source.';
  return toolError(`There is no tool ${path}. ${hint}`, {
    code: 'unknownTool',
    ...(meant && { nearest: meant }),
  });
}

/** What is denied is not named. */
async function isDenied(path: string, { catalog, policies, caller }: CallContext): Promise<boolean> {
  const found = await catalog.seek(caller.workspaceId, path);
  return found !== undefined && (await policies.decide(caller, found.tool, {})).decision === 'deny';
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
