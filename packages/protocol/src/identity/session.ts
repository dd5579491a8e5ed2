import * as z from 'zod';
import { list } from '../route/list.ts';

export const SignInLink = z
  .object({
    url: z
      .url()
      .describe('Opens the UI signed in, once. The code is in the fragment, so it is never logged.'),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'SignInLink' });

const Coordinate = z.string().regex(/^[\w-]{43}$/, 'must be 32 bytes in base64url');

/** A public key for ECDSA P-256 as a JSON Web Key. */
export const SessionKey = z
  .strictObject({ kty: z.literal('EC'), crv: z.literal('P-256'), x: Coordinate, y: Coordinate })
  .meta({ id: 'SessionKey' });
export type SessionKey = z.infer<typeof SessionKey>;

export const SignIn = z
  .strictObject({
    code: z.string().min(1).max(200),
    publicKey: SessionKey.describe('The key with which the page signs this request and all later ones'),
  })
  .meta({ id: 'SignIn' });

export const Session = z
  .object({
    id: z.string(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'Session' });

export const SessionSummary = z
  .object({
    id: z.string(),
    actorId: z.string(),
    userAgent: z.string().optional().describe('The browser that signed in, as it describes itself'),
    openedAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().describe('When the session ends if it is not used until then'),
    current: z.boolean().describe('Whether this request was made with it'),
  })
  .meta({ id: 'SessionSummary' });
export type SessionSummary = z.infer<typeof SessionSummary>;

export const SessionList = list(SessionSummary).meta({ id: 'SessionList' });

export const EndedSessions = z
  .object({ ended: z.number().int().describe('How many sessions were ended') })
  .meta({ id: 'EndedSessions' });
