import * as z from 'zod';

/** The name of the header in which a page sends the token it holds; a cookie alone proves nothing, since cookies do not know ports. */
export const sessionHeader = 'x-executor-session';

export const SignInLink = z
  .object({
    url: z.url().describe('Opens the UI signed in, once. The code is in the fragment, so it reaches no log.'),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'SignInLink' });

export const SignIn = z.strictObject({ code: z.string().min(1).max(200) }).meta({ id: 'SignIn' });

export const Session = z
  .object({
    id: z.string(),
    token: z.string().describe(`The page keeps it and sends it as ${sessionHeader} beside the cookie`),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;
