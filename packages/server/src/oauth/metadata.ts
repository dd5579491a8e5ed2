import { ExecutorError, issueSentence } from '@executor/protocol';
import * as z from 'zod';
import { type FetchJson, NotServed } from './fetch-json.ts';

/** What an authorization server tells of itself (RFC 8414, OpenID Connect Discovery). Clients read the rest, so it is passed on whole. */
const Metadata = z.looseObject({ issuer: z.string(), jwks_uri: z.string() });
export type Metadata = z.infer<typeof Metadata>;

/** Finds the document at the addresses where the standards put it, and takes the first that is of that very server. */
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
    `The authorization server cannot be used: it has no metadata for us (${answers.join(', ')}).`,
  );
}

/** The first is of OAuth; the others are of OpenID Connect, with the path of the issuer behind the well-known one and before it. */
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
  // People leave out the last slash, which is part of the name of some.
  if (withoutSlash(metadata.issuer) !== withoutSlash(issuer)) {
    throw new NotServed(
      `${address} is of the issuer ${JSON.stringify(metadata.issuer.slice(0, 200))}, and ${JSON.stringify(issuer)} is configured`,
    );
  }
  if (!isAsSafe(metadata.jwks_uri, issuer)) {
    throw new NotServed(
      `${address}: jwks_uri must be an address with https, got ${metadata.jwks_uri.slice(0, 200)}`,
    );
  }
  return metadata;
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}

/** Keys come over plain HTTP only from this machine, where the server itself does. */
function isAsSafe(url: string, issuer: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  const from = new URL(issuer);
  return protocol === 'https:' || (protocol === from.protocol && hostname === from.hostname);
}
