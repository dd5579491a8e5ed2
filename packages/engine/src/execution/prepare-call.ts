import { createHash } from 'node:crypto';
import type { FoundTool } from '../catalog/catalog.ts';
import type { CallResult, SandboxCall } from '../ports/sandbox.ts';
import type { CallContext } from './call-context.ts';
import { toolError } from './call-result.ts';

/** A call that could be sent: its tool is there and its input is right and complete. */
export interface PreparedCall extends FoundTool {
  input: unknown;
  /** A hash of all that decides what is sent and where; an approval holds for nothing else. */
  binding: string;
}

/** Finds the tool and checks the input, so that nobody is asked about a call that cannot work. */
export function prepareCall({ path, input }: SandboxCall, run: CallContext): PreparedCall | CallResult {
  const found = run.catalog.find(run.caller.workspaceId, path);
  if (found === undefined) return unknownTool(path, run);
  const checked = run.validator.check(found.tool, JSON.parse(input));
  if (checked.type === 'invalid') {
    return toolError(`${path}: ${checked.message}`, { code: 'invalidInput', ...checked.details });
  }
  return { ...found, input: checked.input, binding: bindingOf(found, checked.input) };
}

function unknownTool(path: string, { catalog, caller }: CallContext): CallResult {
  const meant = catalog.nearest(caller.workspaceId, path);
  const hint = meant ? `Did you mean tools.${meant}?` : 'tools.discover({ query }) finds tools.';
  return toolError(`There is no tool ${path}. ${hint}`, {
    code: 'unknownTool',
    ...(meant && { nearest: meant }),
  });
}

export function bindingOf({ tool }: Pick<FoundTool, 'tool'>, input: unknown): string {
  const parts = [tool.path, input, tool.version, tool.origin];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32);
}
