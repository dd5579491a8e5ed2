import type { SandboxCall } from '../../ports/sandbox.ts';
import { isObject } from '../../validation/schema-document.ts';
import type { CallContext } from './call-context.ts';
import { findTool, type PreparedCall } from './prepare-call.ts';

const maxShownDefaults = 30;
const maxDefaultChars = 200;

/** The request as reviewers see it, with the documented defaults that it leaves to the other system. */
export function shownRequest(
  prepared: PreparedCall,
  { validator }: Pick<CallContext, 'validator'>,
): string | null {
  const { tool, source, input } = prepared;
  const preview: unknown = source.preview(prepared);
  if (!isObject(preview)) return JSON.stringify(preview) ?? null;
  const omitted = validator.omitted(tool, input, maxShownDefaults).slice(0, maxShownDefaults);
  const defaults = omitted.map(({ path, value }) => {
    const text = JSON.stringify(value);
    const shown = text.length > maxDefaultChars ? `${text.slice(0, maxDefaultChars - 1)}…` : text;
    return [path.join('.'), `not sent; documented default ${shown}`];
  });
  return JSON.stringify(
    defaults.length > 0 ? { ...preview, omitted: Object.fromEntries(defaults) } : preview,
  );
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
