import type { SourceAuth } from '@executor/protocol';
import type { Auth, InvocationOutcome, NewArtifact, Question } from '../ports/source.ts';
import { scrubJson } from './scrub-json.ts';

const replacement = '[secret]';
/** Shorter texts occur by chance. */
const minLength = 8;

/** Removes the credentials of a call from its outcome, before anything is stored or shown. */
export class Scrubber {
  /** The secrets in every form in which a response could repeat them, longest first. */
  readonly #secrets: string[];

  /** `others` are further secrets, such as those in the base URL. */
  constructor(configured: SourceAuth, sent: Auth, others: readonly string[] = []) {
    const values = [...valuesOf(configured), ...valuesOf(sent), ...others].filter(
      ({ length }) => length >= minLength,
    );
    const forms = values.flatMap(partsOf).flatMap((value) => [value, encoded(value)]);
    this.#secrets = [...new Set(forms)]
      .filter(({ length }) => length >= minLength)
      .sort((one, other) => other.length - one.length);
  }

  outcome(outcome: InvocationOutcome): InvocationOutcome {
    if (this.#secrets.length === 0) return outcome;
    if (outcome.type === 'json') return { ...outcome, json: this.#json(outcome.json) };
    if (outcome.type === 'value') return { ...outcome, value: this.#value(outcome.value) };
    if (outcome.type === 'question') return { ...outcome, question: this.question(outcome.question) };
    const { message, details } = outcome;
    return {
      type: 'error',
      message: this.text(message),
      ...(details && { details: this.#value(details) as Record<string, unknown> }),
    };
  }

  question(question: Question): Question {
    const { prompt, request } = question;
    return {
      ...question,
      prompt: this.text(prompt),
      ...(request !== undefined && { request: this.#value(request) }),
    };
  }

  text(text: string): string {
    return this.#secrets.reduce((clean, secret) => clean.replaceAll(secret, replacement), text);
  }

  artifact(artifact: NewArtifact): NewArtifact {
    const { bytes, mediaType, name } = artifact;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const clean = this.#secrets.reduce((left, secret) => replaceBytes(left, Buffer.from(secret)), buffer);
    return {
      bytes: clean === buffer ? bytes : clean,
      mediaType: this.text(mediaType),
      ...(name !== undefined && { name: this.text(name) }),
    };
  }

  #json(json: string): string {
    return scrubJson(json, this.#secrets, (text) => this.text(text));
  }

  /** Most responses contain no secret, so they are not copied. */
  #value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    const json = JSON.stringify(value) ?? '';
    const occurs = this.#secrets.some((secret) => json.includes(JSON.stringify(secret).slice(1, -1)));
    return occurs ? this.#clean(JSON.parse(json)) : value;
  }

  #clean(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number') return this.#secrets.includes(String(value)) ? replacement : value;
    if (Array.isArray(value)) return value.map((item) => this.#clean(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => [this.text(key), this.#clean(field)]),
    );
  }
}

/** The secret texts: everything except types, names and locations. */
function valuesOf(auth: SourceAuth | Auth): string[] {
  if (!('type' in auth)) {
    return [auth.headers, auth.query, auth.cookies].flatMap((part) => Object.values(part ?? {}));
  }
  switch (auth.type) {
    case 'none':
      return [];
    case 'bearer':
      return [auth.token];
    case 'basic':
      return [auth.password];
    case 'apiKey':
      return [auth.value];
    case 'headers':
      return Object.values(auth.headers);
    case 'schemes': {
      const { schemes, headers, query, cookies } = auth;
      const named = Object.values(schemes).map((value) =>
        typeof value === 'string' ? value : value.password,
      );
      return [
        ...named,
        ...valuesOf({ ...(headers && { headers }), ...(query && { query }), ...(cookies && { cookies }) }),
      ];
    }
  }
}

/** Words that precede a secret. After any other word, only improbable text counts as a secret. */
const schemeWord = /^(?:basic|bearer|digest|hmac|jwt|key|negotiate|oauth|[\w-]*(?:token|key|auth))$/i;
const unlikelyText = /\d|\S{20}/;

/**
 * The secret parts of a value. A header is often a word and the secret (`Token abc`), or a word and named values (`Token token="abc"`).
 * `Basic` contains the encoded password.
 */
function partsOf(value: string): string[] {
  const [, word = '', secret] = /^([\w-]+)\s+(.+)$/s.exec(value) ?? [];
  if (secret === undefined || !(schemeWord.test(word) || unlikelyText.test(secret))) return [value];
  const named = [...secret.matchAll(/(?<![\w-])[\w-]+=(?:"([^"]*)"|([^\s,;"]+))/g)].map(
    ([, quoted, bare]) => quoted ?? bare,
  );
  const pair = /^basic$/i.test(word) ? Buffer.from(secret, 'base64').toString() : '';
  return [
    value,
    secret,
    pair,
    pair.slice(pair.indexOf(':') + 1),
    ...named.filter((part) => part !== undefined),
  ];
}

/** A lone surrogate cannot be encoded in a URL, so no response can repeat it in that form. */
function encoded(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value;
  }
}

function replaceBytes(bytes: Buffer, secret: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(secret); at !== -1; at = bytes.indexOf(secret, from)) {
    parts.push(bytes.subarray(from, at), Buffer.from(replacement));
    from = at + secret.length;
  }
  return parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(from)]);
}
