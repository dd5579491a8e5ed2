/** A program of its own, because of its size: the compiler loads it when code needs it, which is rare. */
export { lower } from './lower.ts';
