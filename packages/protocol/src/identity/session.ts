import * as z from 'zod';

/** The header with the session token of the page. A cookie alone proves nothing, because all ports of a host share cookies. */
export const sessionHeader = 'x-executor-session';

export const SignInLink = z
  .object({
    url: z
      .url()
      .describe('Opens the UI signed in, once. The code is in the fragment, so it is never logged.'),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'SignInLink' });

export const SignIn = z.strictObject({ code: z.string().min(1).max(200) }).meta({ id: 'SignIn' });

export const Session = z
  .object({
    id: z.string(),
    token: z.string().describe(`The page stores it and sends it as ${sessionHeader} with the cookie`),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;
