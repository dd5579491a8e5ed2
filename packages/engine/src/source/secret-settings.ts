import { isDeepStrictEqual } from 'node:util';
import type { Source, SourceSettings } from '../ports/source.ts';

type Secrecy = Pick<Source, 'secretSettings'>;

/** Settings for display. Of an object, the names of its fields are shown. */
export function withoutSecrets({ secretSettings = [] }: Secrecy, settings: SourceSettings): SourceSettings {
  const secret = secretSettings.filter((name) => settings[name] !== undefined);
  if (secret.length === 0) return settings;
  return { ...settings, ...Object.fromEntries(secret.map((name) => [name, hidden(settings[name])])) };
}

export function secretsChanged(
  { secretSettings = [] }: Secrecy,
  before: SourceSettings,
  after: SourceSettings,
): boolean {
  return secretSettings.some((name) => !isDeepStrictEqual(before[name], after[name]));
}

/** The texts that responses must not contain. */
export function secretsOf({ secretSettings = [] }: Secrecy, settings: SourceSettings): string[] {
  return secretSettings.flatMap((name) => textsIn(settings[name]));
}

function hidden(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return '…';
  return Object.fromEntries(Object.keys(value).map((name) => [name, '…']));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
