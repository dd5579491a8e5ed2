/** Decides whether a document may reference another URL. */
export interface ReferenceRule {
  /** The URL of the document before and after redirects; empty for text. */
  urls: string[];
  /** Other hosts that the user allowed. */
  externalReferences: boolean | string[] | undefined;
}

/** Undefined if allowed; otherwise the reason, as part of a sentence. */
export function refusalReason(url: string, { urls, externalReferences }: ReferenceRule): string | undefined {
  const target = parse(url);
  if (target === undefined || !['http:', 'https:'].includes(target.protocol)) {
    return 'Executor follows only http and https URLs';
  }
  if (target.username !== '' || target.password !== '')
    return 'Executor does not follow URLs with credentials';
  if (urls.some((own) => parse(own)?.origin === target.origin)) return undefined;
  if (externalReferences === true) return undefined;
  if (Array.isArray(externalReferences) && externalReferences.some((host) => isHost(target, host)))
    return undefined;
  return `it is on another host; use --allow-external-references ${target.host} to allow it`;
}

function isHost({ host, hostname }: URL, allowed: string): boolean {
  const name = allowed.toLowerCase();
  return name === host || name === hostname;
}

function parse(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}
