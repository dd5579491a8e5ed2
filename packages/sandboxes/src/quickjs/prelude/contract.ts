/** Names, limits and texts on which the prelude, the lane and the compiler must agree. The prelude cannot import anything of Node. */

/** The name of the submitted code in stack traces. */
export const codeFile = 'code.ts';

/** The function that replaces `import` in `import(…)`. It has the same length, so that positions do not change. */
export const importName = '$impor';

/** The parts of a URL, which the lane parses for the prelude. */
export const urlFields = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;

/**
 * Maximum bytes of UTF-8 per text that the prelude passes to the lane. The lane's memory is not counted against the run, so longer texts
 * are passed in pieces where possible.
 */
export const maxTextBytes = 1024 * 1024;
/** Characters per piece. A character has up to three bytes, or six in JSON. */
export const pieceCharacters = 128 * 1024;

/** Maximum number of calls and of timers that are listed because the code did not await them. */
export const maxUnawaited = 200;

/** The engine throws this value when one of its own functions runs out of memory. */
export const uninitialized = '[uninitialized]';
/** The description of a thrown `null`. The engine also throws `null` when not even an error fits into its memory. */
export const thrownNull = 'A value that is not an error was thrown: null';
/** The text for a thrown value that cannot be described. That also happens when the description does not fit into memory. */
export const indescribable = 'The thrown value cannot be described: reading it throws.';
/** The engine's own message. */
export const outOfMemory = 'out of memory';
