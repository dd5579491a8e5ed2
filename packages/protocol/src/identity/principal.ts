import * as z from 'zod';

/** Who makes a request. Agents can neither approve nor read secrets, by any route; see `access` of each route. */
export const PrincipalKind = z.enum(['person', 'agent']).meta({ id: 'PrincipalKind' });
export type PrincipalKind = z.infer<typeof PrincipalKind>;

export const Principal = z
  .object({
    kind: PrincipalKind,
    credential: z.enum(['localToken', 'session', 'apiKey', 'oauth']),
    workspaceId: z.string(),
    actorId: z.string(),
    apiKeyId: z.string().optional(),
    sessionId: z.string().optional(),
    /** The OAuth client and subject of the access token. */
    oauthId: z.string().optional(),
  })
  .meta({ id: 'Principal' });
export type Principal = z.infer<typeof Principal>;

export const Me = z
  .object({
    principal: Principal,
    actor: z.object({ id: z.string(), name: z.string() }),
    organization: z.object({ id: z.string(), name: z.string() }),
    workspace: z.object({ id: z.string(), name: z.string() }),
    server: z.object({ version: z.string(), database: z.enum(['pglite', 'postgres']) }),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof Me>;
