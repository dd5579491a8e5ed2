import * as z from 'zod';
import { HttpUrl } from './kinds/fields.ts';

/** A well-known system that can be added by its name. `packages/engine/src/provider/providers.json` has all of them. */
export const Provider = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z\d]+(-[a-z\d]+)*$/)
      .describe('What users type'),
    title: z.string().min(1).max(60),
    group: z.enum([
      'developer tools',
      'chat',
      'documents',
      'project management',
      'payments',
      'cloud',
      'CRM and support',
      'Google Workspace',
      'Microsoft 365',
      'databases',
      'AI',
      'media and web',
    ]),
    kind: z.string(),
    url: HttpUrl,
    hosts: z.array(z.string()).optional().describe('The hosts of its API, if its document is elsewhere'),
    auth: z.enum(['none', 'bearer', 'basic', 'apiKey', 'oauth2']),
    authKey: z.string().optional().describe('With apiKey: the header'),
    keyUrl: HttpUrl.optional().describe('The page on which users get a credential'),
    docsUrl: HttpUrl,
    icon: z
      .string()
      .regex(/^[a-z\d]+$/)
      .describe('Its name in the icon set Simple Icons, or that of its group'),
  })
  .meta({ id: 'Provider' });
export type Provider = z.infer<typeof Provider>;

export const ProviderQuery = z.object({
  query: z.string().max(200).optional().describe('Words of its name, title or group'),
});

export const ProviderList = z.object({ items: z.array(Provider) }).meta({ id: 'ProviderList' });

export const Providers = z.array(Provider);
