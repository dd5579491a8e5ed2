import type { NewSource, SourceChange } from '@executor/protocol';
import type { SourceSettings } from '../ports/source.ts';

/** The fields of a request that are stored as settings. The document is stored as content. */
const storedFields = [
  'url',
  'baseUrl',
  'serverVariables',
  'headers',
  'externalReferences',
  'serverCa',
  'timeoutMs',
  'maxResponseBytes',
  'allowPrivateNetwork',
] as const;

export function settingsOf(request: NewSource): SourceSettings {
  return changedSettings({}, request);
}

/** Omitted fields are kept. Null removes a field. */
export function changedSettings(before: SourceSettings, change: NewSource | SourceChange): SourceSettings {
  const settings = { ...before };
  for (const key of storedFields) {
    const value = change[key];
    if (value === null) delete settings[key];
    else if (value !== undefined) settings[key] = value;
  }
  // A document that was handed over replaces the one at the URL.
  if (change.document !== undefined) delete settings.url;
  return settings;
}
