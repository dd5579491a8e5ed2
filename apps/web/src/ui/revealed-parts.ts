import type { TextPart } from '@executor/protocol';

/** The common names of some characters. */
const names: Record<number, string> = {
  0: 'null',
  7: 'bell',
  8: 'backspace',
  13: 'carriage return',
  27: 'escape, which begins commands to a terminal',
  160: 'no-break space',
  173: 'soft hyphen',
  8203: 'zero-width space',
  8204: 'zero-width non-joiner',
  8205: 'zero-width joiner',
  8206: 'left-to-right mark',
  8207: 'right-to-left mark',
  8232: 'line separator',
  8233: 'paragraph separator',
  8234: 'left-to-right embedding',
  8235: 'right-to-left embedding',
  8236: 'end of an embedding or override',
  8237: 'left-to-right override',
  8238: 'right-to-left override, which shows text backwards',
  8288: 'word joiner',
  8294: 'left-to-right isolate',
  8295: 'right-to-left isolate',
  8296: 'first strong isolate',
  8297: 'end of an isolate',
  65279: 'byte order mark',
};

export type ShownPart =
  | { type: 'plain'; text: string }
  /** `U+200B`, or `U+200B ×40` for repetitions. */
  | { type: 'disguise'; label: string; title: string };

/** Repetitions of a character become one mark, so that thousands of them do not slow down the page. */
export function groupParts(parts: TextPart[]): ShownPart[] {
  const shown: ShownPart[] = [];
  for (let index = 0; index < parts.length; ) {
    const part = parts[index] as TextPart;
    if (part.type === 'plain') {
      shown.push(part);
      index += 1;
      continue;
    }
    const end = endOfRepetition(parts, index, part.codePoint);
    shown.push(disguise(part.codePoint, end - index));
    index = end;
  }
  return shown;
}

function endOfRepetition(parts: TextPart[], start: number, codePoint: number): number {
  let end = start;
  for (let part = parts[end]; part?.type === 'disguise' && part.codePoint === codePoint; part = parts[end])
    end += 1;
  return end;
}

function disguise(codePoint: number, times: number): ShownPart {
  const code = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  return {
    type: 'disguise',
    label: times > 1 ? `${code} ×${times}` : code,
    title: names[codePoint] ?? 'a character that cannot be seen, or looks like another one',
  };
}

export function sizeOf(text: string): string {
  return `${text.length.toLocaleString('en')} characters`;
}
