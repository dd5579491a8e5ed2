import * as z from 'zod';
import { ExecutorError } from '../error/error.ts';
import { issueSentence } from '../error/issue-sentence.ts';
import { sourceKinds } from './kinds/source-kinds.ts';
import { NewSource } from './new-source.ts';
import { SourceAuth } from './source-auth.ts';

const approval = z.enum(['auto', 'required']);

/** A source as configurations and code write it, with all accepted names for the same setting. */
const SeedSource = z.looseObject({
  type: z.string().optional(),
  kind: z.string().optional(),
  url: z.string().optional(),
  specUrl: z.string().optional(),
  spec: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  document: z.string().optional(),
  endpoint: z.string().optional(),
  baseUrl: z.string().optional(),
  defaultApproval: approval.optional(),
  defaultReadApproval: approval.optional(),
  defaultWriteApproval: approval.optional(),
  approval: z.strictObject({ read: approval.optional(), write: approval.optional() }).optional(),
  auth: z.record(z.string(), z.unknown()).optional(),
});
type SeedSource = z.infer<typeof SeedSource>;

/** Normalises these names. Other fields are settings of the kind. Throws `invalidRequest` with the wrong field. */
export function seedSource(value: unknown): NewSource {
  const seed = parse(SeedSource, value);
  const { type, kind = type, auth } = seed;
  const { specUrl: _, spec: _spec, endpoint: _endpoint, ...fields } = seed;
  const {
    defaultApproval: _all,
    defaultReadApproval: _read,
    defaultWriteApproval: _write,
    ...others
  } = fields;
  const source = {
    ...others,
    type: undefined,
    kind: kindOf(kind),
    ...locationOf(seed),
    approval: approvalOf(seed),
    auth: auth && authOf(auth),
  };
  return parse(
    NewSource,
    Object.fromEntries(Object.entries(source).filter(([, field]) => field !== undefined)),
  );
}

function kindOf(word: string | undefined): string | undefined {
  if (word === undefined || sourceKinds.some((kind) => kind === word)) return word;
  throw wrong(`type: "${word}" sources are not known yet; known: ${sourceKinds.join(', ')}`);
}

/** The location of the document and the base URL of calls. An `endpoint` without a document is both. */
function locationOf({ url, specUrl, spec, document, endpoint, baseUrl }: SeedSource) {
  const written = typeof spec === 'object' ? JSON.stringify(spec) : spec;
  const isAddress = written !== undefined && /^https?:\/\//i.test(written.trim());
  const address = url ?? specUrl ?? (isAddress ? written.trim() : undefined);
  const text = document ?? (isAddress ? undefined : written);
  if (address === undefined && text === undefined) return { url: endpoint, baseUrl };
  return { url: address, document: text, baseUrl: baseUrl ?? endpoint };
}

function approvalOf({
  approval: explicit,
  defaultApproval,
  defaultReadApproval,
  defaultWriteApproval,
}: SeedSource) {
  const read = explicit?.read ?? defaultReadApproval ?? defaultApproval;
  const write = explicit?.write ?? defaultWriteApproval ?? defaultApproval;
  if (read === undefined && write === undefined) return undefined;
  return { ...(read && { read }), ...(write && { write }) };
}

/** Accepts `{ type: "bearer", token }`, and the form with a mode: `{ mode: "static", token }`. */
function authOf(auth: Record<string, unknown>): SourceAuth {
  const { mode, ...rest } = auth;
  if (mode === 'workspace' || mode === 'actor')
    throw wrong(`auth.mode: "${mode}" is not supported yet; use "static", or set credentials on the source`);
  if (mode !== undefined && mode !== 'static' && mode !== 'none')
    throw wrong('auth.mode: must be "static", because nothing else is supported yet');
  if (mode === 'none') return { type: 'none' };
  return parse(SourceAuth, staticAuth(rest), 'auth.');
}

function staticAuth({ type, ...auth }: Record<string, unknown>): unknown {
  if (typeof type === 'string' && !synonyms.has(type)) return { type, ...auth };
  const { token, username, password, header, headerName, headers, value, apiKey, name, ...rest } = auth;
  const key = value ?? apiKey ?? token;
  const keyName = header ?? headerName ?? (type === 'apiKey' ? name : undefined);
  if (headers !== undefined) return { type: 'headers', headers, ...rest };
  if (username !== undefined || password !== undefined)
    return { type: 'basic', username: username ?? '', password: password ?? '', ...rest };
  if (keyName !== undefined) return { type: 'apiKey', in: 'header', ...rest, name: keyName, value: key };
  return { type: 'bearer', token: key, ...rest };
}

/** Types that only their other fields distinguish. */
const synonyms = new Set(['apiKey', 'static', 'header']);

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, prefix = ''): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw wrong(`${prefix}${issueSentence(parsed.error)}`);
}

function wrong(problem: string): ExecutorError {
  return new ExecutorError('invalidRequest', `The source is invalid: ${problem}.`);
}
