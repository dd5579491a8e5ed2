/** The file name from Content-Disposition (RFC 6266), else from the end of the URL. Never a path. */
export function artifactName(disposition: string | string[] | undefined, url: string): string | undefined {
  const named =
    dispositionName(String(disposition ?? '')) ?? new URL(url).pathname.match(/\/([^/]+\.\w{1,8})$/)?.[1];
  const name = decoded(named ?? '')
    .split(/[/\\]/)
    .at(-1)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed
    ?.replace(/[\u0000-\u001f\u007f]/g, '')
    .slice(0, 200);
  return name === '' || name === '.' || name === '..' ? undefined : name;
}

function dispositionName(header: string): string | undefined {
  const extended = /;\s*filename\*\s*=\s*([\w-]*)'[\w-]*'([^;\s]+)/i.exec(header);
  if (extended?.[2]) return extended[2];
  const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header);
  const name = plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2];
  // Each byte of a header is one character here; bytes outside ASCII are usually UTF-8.
  return name === undefined ? undefined : Buffer.from(name, 'latin1').toString();
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
