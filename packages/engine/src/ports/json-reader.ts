/** Reads JSON of any size. It does not block the calling thread with a large text. */
export interface JsonReader {
  /**
   * The JSON of UTF-8 bytes without white space, as `compactJson` writes it. Never builds the value. Throws a `SyntaxError` for invalid
   * JSON, and a `RangeError` for JSON that is nested too deeply.
   */
  read(bytes: Uint8Array, options: { quoteLarge: boolean }): Promise<string>;
  /** The JSON of UTF-8 bytes, cut by \`cutJson\` to about \`maxBytes\`. Throws a \`SyntaxError\` for invalid JSON, unless it only shows the size. */
  cut(bytes: Uint8Array, maxBytes: number): Promise<string>;
}
