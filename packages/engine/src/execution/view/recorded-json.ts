/**
 * Parses JSON of the journal, to show it. It was checked before it was written. If it is invalid all the same, the text itself is shown:
 * a journal cannot be fixed, and one broken event must not hide the others.
 */
export function readRecorded(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
