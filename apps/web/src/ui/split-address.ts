export interface AddressParts {
  before: string;
  host: string;
  after: string;
  /** Where it really leads, in case that is not what is written there: other letters, or tricks with @ and \. */
  leadsTo?: string;
}

/** An address in three parts that together are all of it; undefined where it is none with a host. */
export function splitAddress(url: string): AddressParts | undefined {
  const parsed = parse(url);
  const [, before, authority = '', after = ''] = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (parsed === undefined || parsed.host === '' || before === undefined) return undefined;
  const at = authority.lastIndexOf('@') + 1;
  const host = authority.slice(at);
  const shown = { before: before + authority.slice(0, at), host, after };
  return host === parsed.host || host === `${parsed.host}:${defaultPorts[parsed.protocol]}`
    ? shown
    : { ...shown, leadsTo: parsed.host };
}

const defaultPorts: Record<string, string> = { 'http:': '80', 'https:': '443' };

/** What may be opened from a page: nothing but web pages. */
export function webAddress(url: string): string | undefined {
  const parsed = parse(url);
  return parsed?.protocol === 'https:' || parsed?.protocol === 'http:' ? parsed.href : undefined;
}

function parse(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}
