/**
 * What the prelude may hand to one of the lane's services of the web platform at once, in bytes of UTF-8: the lane's memory is not counted against
 * the run. Longer texts go in pieces where they can.
 */
export const maxTextBytes = 1024 * 1024;
/** Of characters, which have up to three bytes each, or six in JSON. */
export const pieceCharacters = 128 * 1024;
