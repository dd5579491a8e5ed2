import * as z from 'zod';
import { list } from '../route/list.ts';

export const AuditEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    action: z.string().describe('What happened, as noun.verb: `apiKey.created`'),
    actorId: z.string(),
    credential: z.string().describe('How the actor was known: localToken, session, apiKey, oauth or system'),
    credentialId: z.string().optional().describe('Which key, session or OAuth client it was'),
    target: z.string().optional().describe('The id of what it happened to'),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditList = list(AuditEntry).meta({ id: 'AuditList' });
