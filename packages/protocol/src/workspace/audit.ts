import * as z from 'zod';
import { list } from '../route/list.ts';

export const AuditEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    action: z.string().describe('What happened, as noun.verb: `apiKey.created`'),
    actorId: z.string(),
    credential: z
      .string()
      .describe('How the actor was authenticated: localToken, session, apiKey, oauth or system'),
    credentialId: z.string().optional().describe('The id of the key, session or OAuth client'),
    target: z.string().optional().describe('The id of the affected object'),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditList = list(AuditEntry).meta({ id: 'AuditList' });
