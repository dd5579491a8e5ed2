/**
 * Parses JSON of the journal for display. The JSON was checked before it was written. If it is invalid nevertheless, the text itself is
 * shown: a journal cannot be fixed, and one broken event must not hide the others.
 */
export function readRecorded(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
