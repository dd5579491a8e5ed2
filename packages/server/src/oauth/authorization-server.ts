import { ExecutorError, issueSentence } from '@executor/protocol';
import type { JWTVerifyGetKey } from 'jose';
import * as z from 'zod';
import { CachedValue } from './cached-value.ts';
import { type FetchJson, fetchJson, NotServed } from './fetch-json.ts';
import { type Metadata, readMetadata } from './metadata.ts';

const KeySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) });

const minute = 60_000;
const lifetimes = { freshMs: 10 * minute, keptMs: 60 * minute, pauseMs: 10_000 };
/** A token may name a newer key. Anybody can make such a token, so the keys are not loaded more often than this. */
const minReloadMs = 30_000;

interface Options {
  issuer: string;
  fetchJson?: FetchJson;
  now?: () => number;
}

/** The trusted OAuth authorization server: its metadata and keys, loaded when they are first needed. */
export class AuthorizationServer {
  /** As configured. */
  readonly issuer: string;
  readonly #metadata: CachedValue<Metadata>;
  readonly #keys: CachedValue<JWTVerifyGetKey>;

  constructor({ issuer, fetchJson: load = fetchJson, now }: Options) {
    this.issuer = issuer;
    this.#metadata = new CachedValue(() => readMetadata(issuer, load), lifetimes, now);
    const readKeys = async () => keySetOf(await this.metadata(), load);
    this.#keys = new CachedValue(readKeys, lifetimes, now);
  }

  metadata(): Promise<Metadata> {
    return this.#metadata.get();
  }

  /** The issuer as the server spells it, because clients compare it exactly. If the server is unreachable, as configured. */
  async name(): Promise<string> {
    const known = await this.metadata().catch(() => undefined);
    return known?.issuer ?? this.issuer;
  }

  /** Loads everything that verifying a token needs. */
  async prepare(): Promise<Metadata> {
    await this.#keys.get();
    return this.metadata();
  }

  /** Finds the key that a token names among this server's keys. Keys and URLs inside a token are ignored. */
  readonly keyOf: JWTVerifyGetKey = async (header, token) => {
    try {
      return await (await this.#keys.get())(header, token);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_JWKS_NO_MATCHING_KEY') throw error;
      return (await this.#keys.get(minReloadMs))(header, token);
    }
  };
}

async function keySetOf({ jwks_uri }: Metadata, load: FetchJson): Promise<JWTVerifyGetKey> {
  const parsed = KeySet.safeParse(await load(jwks_uri).catch(asUnreachable));
  if (!parsed.success) throw unusable(`its keys at ${jwks_uri} are invalid: ${issueSentence(parsed.error)}`);
  const { createLocalJWKSet } = await import('jose');
  return createLocalJWKSet(parsed.data);
}

function asUnreachable(error: unknown): never {
  throw error instanceof NotServed ? unusable(error.message) : error;
}

function unusable(problem: string): ExecutorError {
  return new ExecutorError('unreachable', `The authorization server cannot be used: ${problem}.`);
}
