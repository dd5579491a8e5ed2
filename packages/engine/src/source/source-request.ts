import type { DocumentFiles, NewSource, SourceChange } from '@executor/protocol';
import type { SourceSettings } from '../ports/source.ts';

/** A request to add a source of any kind. Its unnamed fields are settings of the kind. */
export interface SourceRequest extends Pick<NewSource, 'name' | 'namespace' | 'auth' | 'approval'> {
  kind?: string | undefined;
  url?: string | undefined;
  document?: string | undefined;
  files?: DocumentFiles | undefined;
  baseUrl?: string | undefined;
  allowPrivateNetwork?: boolean | undefined;
  serverCa?: string | undefined;
  [setting: string]: unknown;
}

/** A change of a source of any kind. Null restores the default of a setting. */
export interface ChangeRequest
  extends Pick<
    SourceChange,
    'name' | 'namespace' | 'confirmRules' | 'auth' | 'approval' | 'tools' | 'acceptSuggestions' | 'seen'
  > {
  url?: string | undefined;
  document?: string | undefined;
  files?: DocumentFiles | undefined;
  baseUrl?: string | null | undefined;
  allowPrivateNetwork?: boolean | null | undefined;
  serverCa?: string | null | undefined;
  [setting: string]: unknown;
}

/** Fields of requests that are not settings. */
const others = new Set([
  'kind',
  'name',
  'namespace',
  'confirmRules',
  'auth',
  'approval',
  'tools',
  'acceptSuggestions',
  'seen',
]);

/** The settings in a request. The document is stored as content. */
export function settingsOf(request: SourceRequest): SourceSettings {
  return changedSettings({}, request);
}

/** The same with the document, as `checkSettings` and `load` get it. */
export function enteredSettings({
  document,
  files,
  ...request
}: SourceRequest | ChangeRequest): SourceSettings {
  const settings = settingsOf(request as SourceRequest);
  return { ...settings, ...(document !== undefined && { document }), ...(files && { files }) };
}

/** Omitted fields are kept. Null removes a field. */
export function changedSettings(
  before: SourceSettings,
  { document, files: _, ...change }: SourceRequest | ChangeRequest,
): SourceSettings {
  const settings = { ...before };
  for (const [key, value] of Object.entries(change)) {
    if (others.has(key) || value === undefined) continue;
    if (value === null) delete settings[key];
    else settings[key] = value;
  }
  // A document that was handed over replaces the one at the URL.
  if (document !== undefined) delete settings.url;
  return settings;
}
