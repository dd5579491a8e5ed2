import type { Figure } from './figure.ts';
import { measureFoundation } from './foundation.ts';

/** Each area of `npm run bench`, one line and one file each. */
export const areas: Record<string, () => Promise<Figure[]>> = {
  foundation: measureFoundation,
};
