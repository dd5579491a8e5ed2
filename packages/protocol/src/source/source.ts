import * as z from 'zod';
import { PolicyDecision } from '../approval/policy.ts';
import { list } from '../route/list.ts';
import { DisplayName } from '../text/display-name.ts';
import { Effect } from './tool.ts';

export const SourceKind = z.enum(['openapi']).meta({ id: 'SourceKind' });
export type SourceKind = z.infer<typeof SourceKind>;

/** These names have another meaning after `tools.`. */
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
  .regex(/^[A-Za-z_$][\w$]*$/, 'must be an identifier, such as github. Code uses it after `tools.`')
  .refine((name) => !reserved.includes(name), `must be none of ${reserved.join(', ')}`);

/** Sent in a header, where a line break would begin another header. */
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

/** Used in the TLS handshake only, never in a request. */
export const ClientCertificate = z
  .strictObject({
    certificate: pem.describe('The certificate, followed by its chain'),
    key: pem.describe('Its private key'),
    passphrase: z.string().min(1).max(2_000).optional().describe('Passphrase of an encrypted key'),
  })
  .meta({ id: 'ClientCertificate' });
export type ClientCertificate = z.infer<typeof ClientCertificate>;

const authWith = <Value extends z.ZodType, Certificate extends z.ZodType>(
  value: Value,
  certificateValue: Certificate,
) => {
  const certificate = certificateValue
    .optional()
    .describe('A client certificate for each call, in addition to other credentials');
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
      headers: headers.optional().describe('Headers to send with each call in addition'),
      query: named.optional().describe('Query parameters to send with each call in addition'),
      cookies: named.optional().describe('Cookies to send with each call in addition'),
      certificate,
    }),
  ]);
};

/** Static credentials. Responses never contain them. */
export const SourceAuth = authWith(schemeValue, ClientCertificate).meta({ id: 'SourceAuth' });
export type SourceAuth = z.infer<typeof SourceAuth>;

const approval = z.enum(['auto', 'required']);

/** The defaults for its tools if no rule matches: `auto` allows, `required` asks. */
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
  }, 'must not contain a user name or password, because URLs are shown; pass them as auth');

const settings = {
  name: DisplayName.optional().describe('Display name'),
  baseUrl: HttpUrl.optional().describe('Base URL of calls; overrides the document'),
  serverVariables: z.record(z.string(), z.string().max(2_000)).optional(),
  headers: z
    .record(headerName, z.string().max(8_000))
    .optional()
    .describe('Headers to send with each call; not secret'),
  auth: SourceAuth.optional(),
  approval: SourceApproval.optional(),
  allowPrivateNetwork: z
    .boolean()
    .optional()
    .describe('Whether calls may go to this machine and its private networks'),
  externalReferences: z
    .union([z.boolean(), z.array(z.string().max(300)).max(50)])
    .optional()
    .describe('Whether to follow `$ref`s to other hosts, or the hosts to allow'),
  serverCa: pem
    .optional()
    .describe('CA certificates to trust for its server instead of the default ones, as PEM'),
  timeoutMs: z.int().min(100).max(600_000).optional().describe('Timeout of a call'),
  maxResponseBytes: z.int().min(1).max(1_000_000_000).optional(),
};

/** Enough for a document of 50 MB. */
export const maxDocumentChars = 64 * 1024 * 1024;

/** A path relative to the folder of the document, and inside it. */
const FileName = z
  .string()
  .min(1)
  .max(500)
  .regex(/^(?!.*(^|\/)\.{0,2}(\/|$))[^\p{Cc}\\]+$/su, 'must be a path below the folder of the document');

/** A document in several files. */
export const DocumentFiles = z
  .strictObject({
    main: FileName.describe('File name of the document itself'),
    others: z
      .record(FileName, z.string().max(maxDocumentChars))
      .refine((others) => Object.keys(others).length <= 1_000, 'must not be more than 1,000')
      .describe('The texts of the files that it references, by their paths relative to its folder'),
  })
  .meta({ id: 'DocumentFiles' });
export type DocumentFiles = z.infer<typeof DocumentFiles>;

export const NewSource = z
  .strictObject({
    kind: SourceKind.optional().describe('Detected if absent'),
    url: HttpUrl.optional().describe('URL of its document'),
    document: z.string().min(1).max(maxDocumentChars).optional().describe('The document itself, as text'),
    files: DocumentFiles.optional(),
    namespace: Namespace.optional().describe('Derived from the name if absent'),
    ...settings,
  })
  .refine(({ url, document }) => (url === undefined) !== (document === undefined), {
    error: 'Pass either a url or a document.',
  })
  .refine(({ files, document }) => files === undefined || document !== undefined, {
    error: 'files: only allowed with a document.',
  })
  .meta({ id: 'NewSource' });
export type NewSource = z.infer<typeof NewSource>;

const ToolEdit = z.strictObject({ effect: Effect.optional(), repeatable: z.boolean().optional() });

export const SourceChange = z
  .strictObject({
    url: HttpUrl.optional().describe('New URL of its document; it is read at once'),
    document: z.string().min(1).max(maxDocumentChars).optional().describe('The new document, as text'),
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
      .describe('Schemes and certificate are added to the present ones; null removes one'),
    approval: z
      .strictObject({ read: approval.nullish(), write: approval.nullish() })
      .optional()
      .describe('Absent: unchanged; null: back to the default'),
    baseUrl: settings.baseUrl.nullable().describe('Base URL of calls; null: the one of the document'),
    allowPrivateNetwork: settings.allowPrivateNetwork
      .nullable()
      .describe(
        'Whether calls may go to this machine and its private networks; null: only if a URL set by a person is private',
      ),
    serverCa: settings.serverCa.nullable(),
    timeoutMs: settings.timeoutMs.nullable(),
    maxResponseBytes: settings.maxResponseBytes.nullable(),
    tools: z
      .record(z.string(), ToolEdit.nullable())
      .optional()
      .describe('Settings of single tools, by path; null resets a tool'),
    acceptSuggestions: z
      .union([z.literal(true), z.array(z.string())])
      .optional()
      .describe('Accept suggestions that tools do less than their method says: all, or those of these tools'),
    seen: z
      .union([z.literal(true), z.array(z.string())])
      .optional()
      .describe('Mark new writes as reviewed: all, or these'),
  })
  .refine(({ url, document }) => url === undefined || document === undefined, {
    error: 'Pass either a url or a document.',
  })
  .refine(({ files, document }) => files === undefined || document !== undefined, {
    error: 'files: only allowed with a document.',
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
    baseUrl: z.string().optional().describe('Base URL of calls'),
    origins: z.array(z.string()).describe('All hosts that receive calls and credentials; the first hundred'),
    auth: z
      .object({
        type: z.string(),
        schemes: z.array(z.string()).optional().describe('Schemes with a value'),
        headers: z.array(z.string()).optional().describe('Names of additional headers'),
        query: z.array(z.string()).optional().describe('Names of additional query parameters'),
        cookies: z.array(z.string()).optional().describe('Names of additional cookies'),
        certificate: z
          .object({ subject: z.string(), validTo: z.string() })
          .optional()
          .describe('The client certificate'),
      })
      .describe('How calls are authenticated, without the credentials themselves'),
    security: z.array(z.record(z.string(), z.unknown())).describe('Security schemes of its document'),
    approval: SourceApproval,
    settings: z.record(z.string(), z.unknown()),
    toolCount: z.int(),
    unseenCount: z.int(),
    suggestionCount: z.int(),
    warnings: z
      .array(SourceWarning)
      .describe('Problems of its document that did not prevent loading; the first hundred'),
    warningCount: z.int(),
    document: z
      .object({
        mediaType: z.string(),
        bytes: z.int(),
        hash: z.string(),
        name: z.string().optional().describe('File name, if it has several files'),
        files: z
          .array(z.object({ name: z.string(), bytes: z.int(), hash: z.string() }))
          .optional()
          .describe(
            'The other files or URLs of the document; only for people, and only with a single source',
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
    .describe('The tools that were added, changed and removed, if the change read the document'),
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
    index: z.int().describe('Its index in the configuration, from 0'),
    name: z.string(),
    message: z.string(),
    retrying: z.literal(true).optional().describe('Executor tries again later'),
  })
  .meta({ id: 'SourceProblem' });
export type SourceProblem = z.infer<typeof SourceProblem>;

export const SourceList = list(Source)
  .extend({
    loading: z.array(SourceProgress).describe('Sources that this server is adding or refreshing now'),
    problems: z
      .array(SourceProblem)
      .describe('Configured sources (EXECUTOR_TOOL_SOURCES) that could not be connected; only for people'),
  })
  .meta({ id: 'SourceList' });

export const SourceRefresh = z
  .object({
    source: Source,
    unchanged: z.boolean().describe('The document and its tools have not changed'),
    ...difference,
    note: z.string().optional().describe('Why a refresh cannot update this source, and what to do instead'),
  })
  .meta({ id: 'SourceRefresh' });
export type SourceRefresh = z.infer<typeof SourceRefresh>;

export const DocumentQuery = z.object({
  file: z.string().max(8_000).optional().describe('Name of one of its files; default: the document itself'),
});

export const DetectSource = z
  .strictObject({
    url: HttpUrl,
    allowPrivateNetwork: z
      .boolean()
      .optional()
      .describe('Whether to send requests to this machine and its private networks'),
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
