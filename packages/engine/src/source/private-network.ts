/** Whether the host of an address is this machine or on a private network, once its name is resolved. */
export type IsPrivateUrl = (url: string) => Promise<boolean>;

interface Typed {
  url?: string | undefined;
  baseUrl?: string | null | undefined;
  allowPrivateNetwork?: boolean | undefined;
}

/**
 * Whether a source may reach private networks, by what a person has typed or seen: their word, or an address of their own that is
 * private itself. Never by what a document says. Undefined where nothing of that decides it.
 */
export async function privateByTyping(
  { url, baseUrl, allowPrivateNetwork }: Typed,
  isPrivateUrl: IsPrivateUrl,
): Promise<boolean | undefined> {
  if (allowPrivateNetwork !== undefined) return allowPrivateNetwork;
  for (const typed of [url, baseUrl]) {
    // A name that leads nowhere is told of when it is used.
    const isPrivate = typed && !isLinkLocal(typed) && (await isPrivateUrl(typed).catch(() => false));
    if (isPrivate) return true;
  }
  return undefined;
}

/** A document that a person hands over may name this very machine, as those of local servers do. */
export function isLoopback(url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(url)) return false;
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

/** Where clouds keep the credentials of a machine: typing it is not enough, it takes `allowPrivateNetwork`. */
function isLinkLocal(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(?:169\.254\..*|\[fe[89ab].*|metadata\.google\.internal|\[fd00:ec2::254\])$/.test(hostname);
}
