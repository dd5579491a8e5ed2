import { ExecutorError, issueSentence } from '@executor/protocol';
import type { JWTVerifyGetKey } from 'jose';
import * as z from 'zod';
import { type FetchJson, fetchJson, NotServed } from './fetch-json.ts';
import { type Metadata, readMetadata } from './metadata.ts';
import { Remembered } from './remembered.ts';

const KeySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) });

const minute = 60_000;
const lifetimes = { freshMs: 10 * minute, keptMs: 60 * minute, pauseMs: 10_000 };
/** A token may name a key that is newer than ours; anybody can make such a token, so there is no asking more often than this. */
const askAgainMs = 30_000;

interface Options {
  issuer: string;
  fetchJson?: FetchJson;
  now?: () => number;
}

/** The OAuth authorization server whose tokens are taken: its metadata and its keys, read when they are first needed. */
export class AuthorizationServer {
  /** As it is configured. */
  readonly issuer: string;
  readonly #metadata: Remembered<Metadata>;
  readonly #keys: Remembered<JWTVerifyGetKey>;

  constructor({ issuer, fetchJson: load = fetchJson, now }: Options) {
    this.issuer = issuer;
    this.#metadata = new Remembered(() => readMetadata(issuer, load), lifetimes, now);
    const readKeys = async () => keySetOf(await this.metadata(), load);
    this.#keys = new Remembered(readKeys, lifetimes, now);
  }

  metadata(): Promise<Metadata> {
    return this.#metadata.get();
  }

  /** The issuer as it spells itself, for clients compare that to the letter; while it is away, as it is configured. */
  async name(): Promise<string> {
    const known = await this.metadata().catch(() => undefined);
    return known?.issuer ?? this.issuer;
  }

  /** Reads all that a first token would need. */
  async prepare(): Promise<Metadata> {
    await this.#keys.get();
    return this.metadata();
  }

  /** The key that a token names, among those of this server alone: no key or address in a token is ever looked at. */
  readonly keyOf: JWTVerifyGetKey = async (header, token) => {
    try {
      return await (await this.#keys.get())(header, token);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_JWKS_NO_MATCHING_KEY') throw error;
      return (await this.#keys.get(askAgainMs))(header, token);
    }
  };
}

async function keySetOf({ jwks_uri }: Metadata, load: FetchJson): Promise<JWTVerifyGetKey> {
  const parsed = KeySet.safeParse(await load(jwks_uri).catch(asUnreachable));
  if (!parsed.success) throw unusable(`its keys at ${jwks_uri} are none: ${issueSentence(parsed.error)}`);
  const { createLocalJWKSet } = await import('jose');
  return createLocalJWKSet(parsed.data);
}

function asUnreachable(error: unknown): never {
  throw error instanceof NotServed ? unusable(error.message) : error;
}

function unusable(problem: string): ExecutorError {
  return new ExecutorError('unreachable', `The authorization server cannot be used: ${problem}.`);
}
