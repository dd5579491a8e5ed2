import { ExecutorError, issueSentence } from '@executor/protocol';
import * as z from 'zod';
import { type FetchJson, NotServed } from './fetch-json.ts';

/** The metadata of an authorization server (RFC 8414, OpenID Connect Discovery). Clients read other fields, so all are kept. */
const Metadata = z.looseObject({ issuer: z.string(), jwks_uri: z.string() });
export type Metadata = z.infer<typeof Metadata>;

/** Reads the metadata from the standard locations. The first document of this issuer counts. */
export async function readMetadata(issuer: string, fetchJson: FetchJson): Promise<Metadata> {
  const addresses = metadataAddresses(issuer);
  const answers: string[] = [];
  for (const address of addresses) {
    try {
      return checked(await fetchJson(address), { address, issuer });
    } catch (error) {
      if (!(error instanceof NotServed)) throw error;
      answers.push(error.message);
    }
  }
  throw new ExecutorError(
    'unreachable',
    `The authorization server cannot be used: it has no valid metadata (${answers.join(', ')}).`,
  );
}

/** The OAuth location, then the two of OpenID Connect: with the issuer's path after and before the well-known path. */
export function metadataAddresses(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/+$/, '');
  return [
    ...new Set([
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}/.well-known/openid-configuration${path}`,
      `${origin}${path}/.well-known/openid-configuration`,
    ]),
  ];
}

function checked(document: unknown, { address, issuer }: { address: string; issuer: string }): Metadata {
  const parsed = Metadata.safeParse(document);
  if (!parsed.success) throw new NotServed(`${address}: ${issueSentence(parsed.error)}`);
  const metadata = parsed.data;
  // Users often leave out the last slash, which is part of some issuer names.
  if (withoutSlash(metadata.issuer) !== withoutSlash(issuer)) {
    throw new NotServed(
      `${address} belongs to the issuer ${JSON.stringify(metadata.issuer.slice(0, 200))}, but ${JSON.stringify(issuer)} is configured`,
    );
  }
  if (!isAsSafe(metadata.jwks_uri, issuer)) {
    throw new NotServed(`${address}: jwks_uri must be an https URL, got ${metadata.jwks_uri.slice(0, 200)}`);
  }
  return metadata;
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}

/** Keys are read over https, or over plain HTTP from the same host as the issuer itself. */
function isAsSafe(url: string, issuer: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  const from = new URL(issuer);
  return protocol === 'https:' || (protocol === from.protocol && hostname === from.hostname);
}
