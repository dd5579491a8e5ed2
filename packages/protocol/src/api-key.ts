import * as z from 'zod';
import { DisplayName } from './display-name.ts';
import { list } from './list.ts';
import { PrincipalKind } from './principal.ts';

export const ApiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: PrincipalKind,
    hint: z.string().describe('The last four characters of the key, to recognise it by'),
    actorId: z.string(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().optional(),
    revokedAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof ApiKey>;

export const ApiKeyList = list(ApiKey).meta({ id: 'ApiKeyList' });

export const NewApiKey = z
  .strictObject({
    name: DisplayName,
    kind: PrincipalKind.default('agent'),
  })
  .meta({ id: 'NewApiKey' });

export const CreatedApiKey = ApiKey.extend({
  key: z.string().describe('The key itself. It is shown this once and kept only as a hash.'),
}).meta({ id: 'CreatedApiKey' });
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;
