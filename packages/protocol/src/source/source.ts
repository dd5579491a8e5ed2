import * as z from 'zod';
import { PolicyDecision } from '../approval/policy.ts';
import { list } from '../route/list.ts';
import { DisplayName } from '../text/display-name.ts';
import { Effect } from './tool.ts';

export const SourceKind = z.enum(['openapi']).meta({ id: 'SourceKind' });
export type SourceKind = z.infer<typeof SourceKind>;

/** The segments of a path are identifiers; these lead elsewhere. */
const reserved = [
  'executor',
  'discover',
  'describe',
  'constructor',
  'prototype',
  '__proto__',
  'then',
  'toString',
  'toJSON',
];

export const Namespace = z
  .string()
  .max(60)
  .regex(/^[A-Za-z_$][\w$]*$/, 'must be an identifier, such as github: it is what code writes after `tools.`')
  .refine((name) => !reserved.includes(name), `must be none of ${reserved.join(', ')}`);

/** Goes into a header: a line break would begin another one. */
const secret = z
  .string()
  .min(1)
  .max(20_000)
  .regex(/^[^\p{Cc}]*$/u, 'must be one line without control characters');
const headerName = z
  .string()
  .max(200)
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header');

const schemeValue = z.union([
  secret,
  z.strictObject({ username: z.string().max(2_000), password: z.string().max(20_000) }),
]);
const headers = z.record(headerName, secret);
const named = z.record(z.string().min(1).max(200), secret);

const pem = z
  .string()
  .max(100_000)
  .regex(/-----BEGIN [A-Z0-9 ]+-----/, 'must be PEM: text with a line -----BEGIN …-----');

/** Shown in the handshake of a secure connection, and never in what is sent over it. */
export const ClientCertificate = z
  .strictObject({
    certificate: pem.describe('The certificate, and after it those that vouch for it'),
    key: pem.describe('Its private key'),
    passphrase: z.string().min(1).max(2_000).optional().describe('Of the key, where that is encrypted'),
  })
  .meta({ id: 'ClientCertificate' });
export type ClientCertificate = z.infer<typeof ClientCertificate>;

const authWith = <Value extends z.ZodType, Certificate extends z.ZodType>(
  value: Value,
  certificateValue: Certificate,
) => {
  const certificate = certificateValue
    .optional()
    .describe('A client certificate, shown with each call, whatever else is');
  return z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('none') }),
    z.strictObject({ type: z.literal('bearer'), token: secret, certificate }),
    z.strictObject({
      type: z.literal('basic'),
      username: z.string().max(2_000),
      password: z.string().max(20_000),
      certificate,
    }),
    z.strictObject({
      type: z.literal('apiKey'),
      in: z.enum(['header', 'query', 'cookie']),
      name: z.string().min(1).max(200),
      value: secret,
      certificate,
    }),
    z.strictObject({ type: z.literal('headers'), headers, certificate }),
    z.strictObject({
      type: z.literal('schemes'),
      schemes: z
        .record(z.string(), value)
        .describe(
          'By the name of the security scheme in the document: a token or key, or a user name and password',
        ),
      headers: headers.optional().describe('Sent beside them with each call'),
      query: named.optional().describe('The same, in the query'),
      cookies: named.optional().describe('The same, as cookies'),
      certificate,
    }),
  ]);
};

/** Static credentials, until there is a vault. Answers never show them. */
export const SourceAuth = authWith(schemeValue, ClientCertificate).meta({ id: 'SourceAuth' });
export type SourceAuth = z.infer<typeof SourceAuth>;

const approval = z.enum(['auto', 'required']);

/** What is decided on its tools where no rule matches. */
export const SourceApproval = z
  .strictObject({ read: approval.optional(), write: approval.optional() })
  .meta({ id: 'SourceApproval' });
export type SourceApproval = z.infer<typeof SourceApproval>;

const HttpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .max(8_000)
  .refine((url) => {
    if (!URL.canParse(url)) return true;
    const { username, password } = new URL(url);
    return username === '' && password === '';
  }, 'must not hold a user name or password, because addresses are shown; give them as auth');

const settings = {
  name: DisplayName.optional().describe('What people call it'),
  baseUrl: HttpUrl.optional().describe('Where calls go, whatever the document says'),
  serverVariables: z.record(z.string(), z.string().max(2_000)).optional(),
  headers: z.record(headerName, z.string().max(8_000)).optional().describe('Sent with each call; not secret'),
  auth: SourceAuth.optional(),
  approval: SourceApproval.optional(),
  allowPrivateNetwork: z
    .boolean()
    .optional()
    .describe('Whether its document may lead calls to this machine and its private networks'),
  externalReferences: z
    .union([z.boolean(), z.array(z.string().max(300)).max(50)])
    .optional()
    .describe('Whether `$ref`s to other hosts are followed, or to which'),
  serverCa: pem
    .optional()
    .describe('Whom to trust for the certificate of its server, instead of those usually; as PEM'),
  timeoutMs: z.int().min(100).max(600_000).optional().describe('How long a call may take'),
  maxResponseBytes: z.int().min(1).max(1_000_000_000).optional(),
};

/** Of a document of 50 MB. */
export const maxDocumentChars = 64 * 1024 * 1024;

/** From the folder of the document; it leads nowhere but below that. */
const FileName = z
  .string()
  .min(1)
  .max(500)
  .regex(/^(?!.*(^|\/)\.{0,2}(\/|$))[^\p{Cc}\\]+$/su, 'must be a path below the folder of the document');

/** A document in several files. */
export const DocumentFiles = z
  .strictObject({
    main: FileName.describe('What the file of the document itself is called'),
    others: z
      .record(FileName, z.string().max(maxDocumentChars))
      .refine((others) => Object.keys(others).length <= 1_000, 'must not be more than 1,000')
      .describe('The text of those that it refers to, by their paths from its folder'),
  })
  .meta({ id: 'DocumentFiles' });
export type DocumentFiles = z.infer<typeof DocumentFiles>;

export const NewSource = z
  .strictObject({
    kind: SourceKind.optional().describe('Found out where it is left out'),
    url: HttpUrl.optional().describe('Where its document is'),
    document: z.string().min(1).max(maxDocumentChars).optional().describe('The document itself, as text'),
    files: DocumentFiles.optional(),
    namespace: Namespace.optional().describe('Made from the name where it is left out'),
    ...settings,
  })
  .refine(({ url, document }) => (url === undefined) !== (document === undefined), {
    error: 'Give either a url or a document.',
  })
  .refine(({ files, document }) => files === undefined || document !== undefined, {
    error: 'files: they are beside a document that is given as text.',
  })
  .meta({ id: 'NewSource' });
export type NewSource = z.infer<typeof NewSource>;

const ToolEdit = z.strictObject({ effect: Effect.optional(), repeatable: z.boolean().optional() });

export const SourceChange = z
  .strictObject({
    url: HttpUrl.optional().describe('Where its document is from now on; it is read at once'),
    document: z.string().min(1).max(maxDocumentChars).optional().describe('Its document from now on'),
    files: DocumentFiles.optional(),
    namespace: Namespace.optional().describe(
      'Rename the source: a request of its own. Rules that name the old namespace are rewritten with it',
    ),
    confirmRules: z
      .union([z.literal(true), z.array(z.string())])
      .optional()
      .describe(
        'With namespace: the ids of the affected rules, or true for all. Without them the request fails with `conflict` and lists the rules in `details.rules`',
      ),
    ...settings,
    auth: authWith(schemeValue.nullable(), ClientCertificate.nullable())
      .optional()
      .describe('Schemes, and a certificate with them, are set beside what is there; null takes one away'),
    approval: z
      .strictObject({ read: approval.nullish(), write: approval.nullish() })
      .optional()
      .describe('Of what is left out it stays as it was; null: as usual'),
    baseUrl: settings.baseUrl.nullable().describe('Where calls go; null: where the document says'),
    allowPrivateNetwork: settings.allowPrivateNetwork
      .nullable()
      .describe('The same; null: where the addresses that a person gave are private themselves'),
    serverCa: settings.serverCa.nullable(),
    timeoutMs: settings.timeoutMs.nullable(),
    maxResponseBytes: settings.maxResponseBytes.nullable(),
    tools: z
      .record(z.string(), ToolEdit.nullable())
      .optional()
      .describe('What a person says of single tools, by path; null takes it back'),
    acceptSuggestions: z
      .union([z.literal(true), z.array(z.string())])
      .optional()
      .describe('Believe the evidence that tools do less than their method says: of all, or of these'),
    seen: z
      .union([z.literal(true), z.array(z.string())])
      .optional()
      .describe('New writes that were looked at: all, or these'),
  })
  .refine(({ url, document }) => url === undefined || document === undefined, {
    error: 'Give either a url or a document.',
  })
  .refine(({ files, document }) => files === undefined || document !== undefined, {
    error: 'files: they are beside a document that is given as text.',
  })
  .meta({ id: 'SourceChange' });
export type SourceChange = z.infer<typeof SourceChange>;

const SourceWarning = z.object({ place: z.string(), message: z.string() });

export const Source = z
  .object({
    id: z.string(),
    workspaceId: z.string(),
    kind: z.string(),
    namespace: z.string(),
    name: z.string(),
    title: z.string().optional(),
    url: z.string().optional(),
    baseUrl: z.string().optional().describe('Where calls go'),
    origins: z
      .array(z.string())
      .describe('Every host that calls, and with them the credentials, go to; the first hundred'),
    auth: z
      .object({
        type: z.string(),
        schemes: z.array(z.string()).optional().describe('The schemes that have a value'),
        headers: z.array(z.string()).optional().describe('The headers that are sent beside them'),
        query: z.array(z.string()).optional().describe('The same of query parameters'),
        cookies: z.array(z.string()).optional().describe('The same of cookies'),
        certificate: z
          .object({ subject: z.string(), validTo: z.string() })
          .optional()
          .describe('The client certificate that is shown'),
      })
      .describe('How it is called; without the credentials themselves'),
    security: z.array(z.record(z.string(), z.unknown())).describe('The schemes that its document declares'),
    approval: SourceApproval,
    settings: z.record(z.string(), z.unknown()),
    toolCount: z.int(),
    unseenCount: z.int(),
    suggestionCount: z.int(),
    warnings: z
      .array(SourceWarning)
      .describe('What is wrong with its document and did not stop it; the first hundred'),
    warningCount: z.int(),
    document: z
      .object({
        mediaType: z.string(),
        bytes: z.int(),
        hash: z.string(),
        name: z.string().optional().describe('What its file is called, where it was one of several'),
        files: z
          .array(z.object({ name: z.string(), bytes: z.int(), hash: z.string() }))
          .optional()
          .describe(
            'The other files, or addresses, that it is made of; told to people who ask for one source',
          ),
      })
      .optional(),
    createdBy: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    loadedAt: z.iso.datetime(),
  })
  .meta({ id: 'Source' });
export type Source = z.infer<typeof Source>;

const difference = {
  added: z.array(z.string()),
  changed: z.array(z.string()),
  removed: z.array(z.string()),
};

export const AffectedRule = z
  .object({
    id: z.string(),
    pattern: z.string(),
    newPattern: z.string().optional().describe('The pattern after the rename, if the rule is rewritten'),
    decision: PolicyDecision,
    change: z
      .enum(['rewritten', 'fewerTools', 'moreTools'])
      .describe('Whether the rule is rewritten, or matches fewer or more tools of the source'),
  })
  .meta({ id: 'AffectedRule' });
export type AffectedRule = z.infer<typeof AffectedRule>;

export const ChangedSource = Source.extend({
  renamed: z
    .object({ from: z.string(), rules: z.array(AffectedRule) })
    .optional()
    .describe('The former namespace and the rules that the rename affected'),
  difference: z
    .object(difference)
    .optional()
    .describe(
      'The paths of tools that are new, changed and gone, where the document was read for the change',
    ),
}).meta({ id: 'ChangedSource' });
export type ChangedSource = z.infer<typeof ChangedSource>;

export const SourceProgress = z
  .object({
    namespace: z.string().optional(),
    name: z.string(),
    stage: z.enum(['queued', 'fetching', 'reading', 'storing']),
    done: z.number().optional(),
    total: z.number().optional(),
    startedAt: z.iso.datetime(),
  })
  .meta({ id: 'SourceProgress' });
export type SourceProgress = z.infer<typeof SourceProgress>;

export const SourceProblem = z
  .object({
    index: z.int().describe('Which of them, from 0'),
    name: z.string(),
    message: z.string(),
    retrying: z
      .literal(true)
      .optional()
      .describe('It may not be there yet, and is tried again from time to time'),
  })
  .meta({ id: 'SourceProblem' });
export type SourceProblem = z.infer<typeof SourceProblem>;

export const SourceList = list(Source)
  .extend({
    loading: z.array(SourceProgress).describe('What this server is adding or refreshing right now'),
    problems: z
      .array(SourceProblem)
      .describe('The configured sources (EXECUTOR_TOOL_SOURCES) that could not be connected; for people'),
  })
  .meta({ id: 'SourceList' });

export const SourceRefresh = z
  .object({
    source: Source,
    unchanged: z
      .boolean()
      .describe('The document is the same, byte for byte, and so is everything that was made of it'),
    ...difference,
    note: z.string().optional().describe('What a refresh cannot do for this source, and what does it'),
  })
  .meta({ id: 'SourceRefresh' });
export type SourceRefresh = z.infer<typeof SourceRefresh>;

export const DocumentQuery = z.object({
  file: z
    .string()
    .max(8_000)
    .optional()
    .describe('Another of its files, by its name; else the document itself'),
});

export const DetectSource = z
  .strictObject({
    url: HttpUrl,
    allowPrivateNetwork: z
      .boolean()
      .optional()
      .describe('Whether this machine and its private networks may be asked, whatever the address says'),
  })
  .meta({ id: 'DetectSource' });

export const DetectedSource = z
  .object({
    kind: z.string(),
    url: z.string(),
    name: z.string(),
    namespace: z.string(),
    title: z.string().optional(),
  })
  .meta({ id: 'DetectedSource' });
export type DetectedSource = z.infer<typeof DetectedSource>;
