import * as z from 'zod';
import { list } from '../route/list.ts';
import { DisplayName } from '../text/display-name.ts';
import { PrincipalKind } from './principal.ts';

const AllowDialog = z
  .boolean()
  .describe('Whether approvals may be answered in the dialog of the MCP client that holds this key');

export const ApiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: PrincipalKind,
    hint: z.string().describe('The last four characters of the key, to recognise it by'),
    actorId: z.string(),
    allowDialog: AllowDialog,
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
    allowDialog: AllowDialog.default(false),
  })
  .meta({ id: 'NewApiKey' });

export const ApiKeyChange = z.strictObject({ allowDialog: AllowDialog }).meta({ id: 'ApiKeyChange' });

export const CreatedApiKey = ApiKey.extend({
  key: z.string().describe('The key itself. It is shown only once; the server stores a hash.'),
}).meta({ id: 'CreatedApiKey' });
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;
