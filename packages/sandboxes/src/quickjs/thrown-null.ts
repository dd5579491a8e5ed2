/** How the prelude describes a thrown `null`, which is also what the engine throws when not even an error fits into its memory. */
export const thrownNull = 'A value that is not an error was thrown: null';
