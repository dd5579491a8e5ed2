export interface AddressParts {
  before: string;
  host: string;
  after: string;
  /** The host that a browser connects to, if it differs from the written one because of lookalike letters, @ or \. */
  actualHost?: string;
}

/** Splits an address into three parts. Undefined if it has no host. */
export function splitAddress(url: string): AddressParts | undefined {
  const parsed = parse(url);
  const [, before, authority = '', after = ''] = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (parsed === undefined || parsed.host === '' || before === undefined) return undefined;
  const at = authority.lastIndexOf('@') + 1;
  const host = authority.slice(at);
  const shown = { before: before + authority.slice(0, at), host, after };
  return host === parsed.host || host === `${parsed.host}:${defaultPorts[parsed.protocol]}`
    ? shown
    : { ...shown, actualHost: parsed.host };
}

const defaultPorts: Record<string, string> = { 'http:': '80', 'https:': '443' };

/** Pages may open only web addresses. */
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
