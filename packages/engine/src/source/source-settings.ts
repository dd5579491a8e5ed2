import type { NewSource, SourceChange } from '@executor/protocol';
import type { SourceSettings } from '../ports/source.ts';

/** What of a request is kept as the settings of the source. The document is not: it is kept as content. */
const kept = [
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

/** What is left out stays as it was, null is taken away. */
export function changedSettings(before: SourceSettings, change: NewSource | SourceChange): SourceSettings {
  const settings = { ...before };
  for (const key of kept) {
    const value = change[key];
    if (value === null) delete settings[key];
    else if (value !== undefined) settings[key] = value;
  }
  // A document that was handed over does not come from an address any more.
  if (change.document !== undefined) delete settings.url;
  return settings;
}
