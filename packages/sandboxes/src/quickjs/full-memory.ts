/** What the engine throws where a function of its own found no room, and says nothing of it. */
export const uninitialized = '[uninitialized]';
/** How the prelude describes a thrown `null`, which is also what the engine throws when not even an error fits into its memory. */
export const thrownNull = 'A value that is not an error was thrown: null';

/** What it says where describing fails, which it also does when the description does not fit. */
export const indescribable = 'The thrown value cannot be described: reading it throws.';
/** The engine's own words. */
export const outOfMemory = 'out of memory';
