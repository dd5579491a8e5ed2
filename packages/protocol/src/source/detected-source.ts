import * as z from 'zod';
import { HttpUrl } from './kinds/fields.ts';

export const DetectSource = z
  .strictObject({
    url: HttpUrl,
    allowPrivateNetwork: z
      .boolean()
      .optional()
      .describe('Whether to send requests to this machine and its private networks'),
  })
  .meta({ id: 'DetectSource' });

export const Confidence = z
  .enum(['certain', 'likely', 'guess'])
  .describe('certain: the system says so itself; likely: it fits; guess: a default');
export type Confidence = z.infer<typeof Confidence>;

const AuthScheme = z
  .object({
    type: z.enum(['apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTls']),
    name: z.string().describe('Its name in the description of the system'),
    in: z.enum(['header', 'query', 'cookie']).optional(),
    key: z.string().optional().describe('The name of the header, query parameter or cookie'),
    scheme: z.string().optional().describe('The scheme of the Authorization header'),
    url: z.string().optional().describe('The server that signs users in'),
  })
  .meta({ id: 'AuthScheme' });
export type AuthScheme = z.infer<typeof AuthScheme>;

const FoundSource = z
  .object({
    kind: z.string(),
    url: z.string(),
    name: z.string(),
    namespace: z.string(),
    title: z.string().optional(),
    transport: z.string().describe('How it is called, such as http'),
    servers: z.array(z.string()).describe('The base URLs of its calls'),
    auth: z
      .array(AuthScheme)
      .optional()
      .describe('The ways to authenticate, one of which is needed. Empty: none is needed. Absent: unknown'),
    credential: z
      .object({
        message: z.string().describe('Which credential is needed, and where to get one'),
        keyUrl: z.string().optional().describe('The page of the provider that issues it'),
        docsUrl: z.string().optional(),
      })
      .optional()
      .describe('Present if it needs a credential'),
    confidence: z.object({
      kind: Confidence,
      name: Confidence,
      namespace: Confidence,
      transport: Confidence,
      servers: Confidence,
      auth: Confidence,
    }),
  })
  .meta({ id: 'FoundSource' });
export type FoundSource = z.infer<typeof FoundSource>;

const SourceProbe = z
  .object({
    kind: z.string().describe('The kind of source that it looks for, or auth'),
    outcome: z.enum(['found', 'nothing', 'timeout', 'failed']),
    message: z.string().optional().describe('Why it failed'),
    requests: z
      .array(z.object({ request: z.string(), outcome: z.string() }))
      .describe('What it saw; the first hundred'),
  })
  .meta({ id: 'SourceProbe' });
export type SourceProbe = z.infer<typeof SourceProbe>;

const shared = {
  choices: z
    .array(FoundSource)
    .describe('Everything that was found, if a user has to choose. Otherwise empty'),
  probes: z.array(SourceProbe),
};

const Ambiguous = z.object({
  kind: z.undefined().optional(),
  url: z.string(),
  auth: FoundSource.shape.auth,
  credential: FoundSource.shape.credential,
  ...shared,
});

export const DetectedSource = z.union([FoundSource.extend(shared), Ambiguous]).meta({
  id: 'DetectedSource',
  description: 'Without kind if a user has to choose, or if nothing is visible without a credential',
});
export type DetectedSource = z.infer<typeof DetectedSource>;
