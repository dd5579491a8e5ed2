/** Whether a document may have another one fetched. */
export interface ReferenceRule {
  /** Where the document is, and where it was asked for; none where it was given as text. */
  urls: string[];
  /** Other hosts that a person has allowed. */
  externalReferences: boolean | string[] | undefined;
}

/** Undefined where it may; else the reason, as a part of a sentence. */
export function whyRefused(url: string, { urls, externalReferences }: ReferenceRule): string | undefined {
  const target = parse(url);
  if (target === undefined || !['http:', 'https:'].includes(target.protocol)) {
    return 'only http and https addresses are followed';
  }
  if (target.username !== '' || target.password !== '') return 'addresses with credentials are not followed';
  if (urls.some((own) => parse(own)?.origin === target.origin)) return undefined;
  if (externalReferences === true) return undefined;
  if (Array.isArray(externalReferences) && externalReferences.some((host) => isHost(target, host)))
    return undefined;
  return `it is on ${target.host}; --allow-external-references ${target.host} lets it be followed`;
}

function isHost({ host, hostname }: URL, allowed: string): boolean {
  const wanted = allowed.toLowerCase();
  return wanted === host || wanted === hostname;
}

function parse(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}
