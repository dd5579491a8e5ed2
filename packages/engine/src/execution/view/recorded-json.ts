/**
 * What a journal has as JSON, for showing it. It is checked before it is written; should something else stand there all the same, that is shown
 * as it is: nobody can mend a journal, and one entry must not hide the others.
 */
export function readRecorded(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
