/** A separate file because of its size. The compiler loads it only when code needs it, which is rare. */
export { lower } from './lower.ts';
