import * as z from 'zod';

const maxScopes = 50;

/** Others cannot send a user's browser anywhere but to a web page. */
const WebUrl = z.url({ protocol: /^https?$/ }).max(2_000);
const scopes = z.array(z.string().max(300)).transform((all) => all.slice(0, maxScopes));

const ResourceMetadata = z.object({
  resource: WebUrl,
  authorization_servers: z.array(z.string()).optional(),
  scopes_supported: scopes.optional(),
});

const ServerMetadata = z.object({
  issuer: WebUrl,
  authorization_endpoint: WebUrl,
  token_endpoint: WebUrl,
  scopes_supported: scopes.optional(),
});

export interface AuthorizationServer {
  issuer: string;
  authorizationUrl: string;
  tokenUrl: string;
  scopes: string[];
}

/** The metadata of a resource (RFC 9728), unless it is that of another one. */
export function readResource(
  json: unknown,
  url: string,
): { servers: string[]; scopes?: string[] } | undefined {
  const { data } = ResourceMetadata.safeParse(json);
  if (data === undefined || !isPartOf(url, data.resource)) return undefined;
  const servers = (data.authorization_servers ?? []).filter((server) => WebUrl.safeParse(server).success);
  return { servers: [...new Set(servers)], ...(data.scopes_supported && { scopes: data.scopes_supported }) };
}

/** The metadata of an authorization server (RFC 8414), unless it is that of another one. */
export function readServer(json: unknown, issuer: string): AuthorizationServer | undefined {
  const { data } = ServerMetadata.safeParse(json);
  if (data === undefined || withoutSlash(data.issuer) !== withoutSlash(issuer)) return undefined;
  return {
    issuer,
    authorizationUrl: data.authorization_endpoint,
    tokenUrl: data.token_endpoint,
    scopes: data.scopes_supported ?? [],
  };
}

function isPartOf(url: string, resource: string): boolean {
  const [whole, part] = [new URL(resource), new URL(url)];
  const path = withoutSlash(whole.pathname);
  return whole.origin === part.origin && `${withoutSlash(part.pathname)}/`.startsWith(`${path}/`);
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}
