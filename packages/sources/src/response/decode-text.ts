/** Decodes bytes, without a byte order mark. Invalid bytes become U+FFFD. */
export function decodeText(bytes: Uint8Array, charset: string | undefined): string {
  return decoderFor(byteOrderOf(bytes) ?? charset ?? charsetInXml(bytes)).decode(bytes);
}

/** The charset in the first line of XML. UTF-16 is ignored: a line that is readable as ASCII cannot be UTF-16. */
function charsetInXml(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const name = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1];
  return name !== undefined && utf16Name.test(name) ? undefined : name;
}

const utf16Name = /^(utf-?16|ucs-?2|iso-10646-ucs|unicode|csunicode)/i;

/** Decodes bytes that are valid UTF-8 without control characters; undefined for binary data. */
export function textIfText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
    return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text.slice(0, 10_000)) ? undefined : text;
  } catch {
    return undefined;
  }
}

function decoderFor(charset = 'utf-8'): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

function byteOrderOf([first, second]: Uint8Array): string | undefined {
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}
