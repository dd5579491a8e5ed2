import type { RawUnawaited } from '../messages/messages.ts';

/** What the prelude says about calls that the code did not await. The server checks the fields. */
export function parseUnawaited(json: string): RawUnawaited[] {
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}
