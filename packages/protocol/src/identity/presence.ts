import * as z from 'zod';

/** The header with the proof that a person is present, if presence is on. */
export const presenceHeader = 'x-executor-presence';

const Pin = z.string().regex(/^\d{4,12}$/, 'must be 4 to 12 digits');

export const Presence = z
  .object({
    mode: z.enum(['off', 'pin']),
    lockedUntil: z.iso.datetime().optional().describe('After too many wrong PINs'),
  })
  .meta({ id: 'Presence' });
export type Presence = z.infer<typeof Presence>;

export const PresenceChange = z
  .strictObject({ mode: z.enum(['off', 'pin']), pin: Pin.optional() })
  .refine(({ mode, pin }) => (mode === 'pin') === (pin !== undefined), {
    message: 'is required with the mode "pin", and not allowed without it',
    path: ['pin'],
  })
  .meta({ id: 'PresenceChange' });
export type PresenceChange = z.infer<typeof PresenceChange>;
