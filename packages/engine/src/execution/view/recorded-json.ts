/** Parsing and writing this much takes a few milliseconds. */
const maxParsed = 64 * 1024;

/** What `writeRecorded` copies at the end. `JSON.stringify` is synchronous, so there is one at a time. */
let copied: { marker: string; texts: string[] } | undefined;

/** Large JSON of the journal. It is copied into a response without parsing, which would hold up all other requests. */
export class RecordedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return copied ? `${copied.marker}${copied.texts.push(this.text) - 1}.` : JSON.parse(this.text);
  }
}

/**
 * Reads JSON of the journal for display. The JSON was checked before it was written. If it is invalid nevertheless, the text itself is
 * shown: a journal cannot be fixed, and one broken event must not hide the others.
 */
export function readRecorded(json: string): unknown {
  if (json.length > maxParsed) return new RecordedJson(json);
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** Like `JSON.stringify`, and fast for values that hold `RecordedJson`. */
export function writeRecorded(value: unknown): string {
  // No value can contain the marker, because it is random.
  const marker = crypto.randomUUID();
  const texts: string[] = [];
  copied = { marker, texts };
  try {
    const written = JSON.stringify(value);
    if (texts.length === 0) return written;
    return written.replace(
      new RegExp(`"${marker}(\\d+)\\."`, 'g'),
      (_, index) => texts[Number(index)] ?? 'null',
    );
  } finally {
    copied = undefined;
  }
}
