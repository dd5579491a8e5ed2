/** The document is unusable. The message says what it is or what is wrong with it, and what to do. */
export class Refusal extends Error {}
