import { clauseBreaks, emptyWords, requestWords, segmentBreaks, weakWords } from './lexicon/stop-words.ts';
import { eachRun, isHanRun } from './text/runs.ts';
import { partsOf, termsOf } from './text/terms.ts';

/*
 * A request is read as words, each with how much it counts, in clauses: `skip to the next track and set the volume to 60` asks for two things. What is
 * quoted, a path of a file or a number is a value to call a tool with, and hardly says which tool.
 */

export interface QueryWord {
  /** In small letters. */
  text: string;
  /** What it is found by; several where it is written as one: `pullRequest`. */
  term: string;
  weight: number;
  clause: number;
  /** A part of a clause: `the song / of the album / from my library`. */
  segment: number;
  /** Given to a tool rather than asked for: quoted, or part of a path. */
  isValue: boolean;
  /** Written with a capital in the middle of a sentence. */
  isName: boolean;
  /** The first in its clause that says something: where a verb stands that wants something done. */
  leads: boolean;
  /** Right after the word before it, with nothing but blanks between. */
  follows: boolean;
}

export interface Query {
  words: QueryWord[];
  clauses: number;
  segments: number;
  /** It is about what belongs to whoever asks. */
  isMine: boolean;
}

const ofMine = /\b(?:my|mine|our|myself|(?:to|by|for) me)\b/i;

const mostCharacters = 8_000;
const mostWords = 160;

const quoted = 0.35;
const requesting = 0.3;
const numeric = 0.3;
const weak = 0.65;
const name = 0.8;

export function readQuery(text: string): Query {
  const reader = new QueryReader(text.slice(0, mostCharacters));
  return reader.read();
}

class QueryReader {
  readonly #text: string;
  readonly #words: QueryWord[] = [];
  #clause = 0;
  #inClause = 0;
  #segment = 0;
  #inSegment = 0;
  #leading = true;
  #inQuotes = false;
  #wasBroken = true;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Query {
    const text = spare(this.#text);
    let last = 0;
    eachRun(text, (run, start) => {
      if (this.#words.length >= mostWords) return;
      this.#pass(text.slice(last, start));
      this.#take(run, start);
      last = start + run.length;
    });
    return {
      words: this.#words,
      clauses: this.#clause + 1,
      segments: this.#segment + 1,
      isMine: ofMine.test(text),
    };
  }

  /** What is between two words. */
  #pass(gap: string): void {
    // An apostrophe within a word is no quotation mark.
    if (!/^['’]$/.test(gap) && /["“”„«»‘`]|(?:^|\s)'|'(?:\s|[,.;:!?]|$)/.test(gap))
      this.#inQuotes = /["“„«‘`]\s*$|(?:^|\s)'$/.test(gap) && !(this.#inQuotes && /^["'`]/.test(gap));
    if (/[.;:!?\n。；！？]|,\s/.test(gap)) this.#break(/[.;!?\n。；！？]/.test(gap));
    this.#wasBroken = /\S/.test(gap) && !/^\s*[-_/.]\s*$/.test(gap);
  }

  #take(run: string, start: number): void {
    const parts = isHanRun(run) ? termsOf(run) : partsOf(run);
    for (const [place, part] of parts.entries()) {
      if (clauseBreaks.has(part) && !this.#inQuotes) this.#break(false);
      if (segmentBreaks.has(part) && !this.#inQuotes) this.#breakSegment();
      if (emptyWords.has(part)) continue;
      this.#add(run, part, start > 0 && this.#inClause > 0, place > 0 || !this.#wasBroken);
    }
  }

  #add(run: string, part: string, isInside: boolean, follows: boolean): void {
    const isName = isInside && /^\p{Lu}/u.test(run);
    for (const [place, term] of termsOf(part).entries()) {
      this.#words.push({
        text: part,
        term,
        weight: this.#weightOf(part, isName) * (place > 0 ? 0.5 : 1),
        clause: this.#clause,
        segment: this.#segment,
        isValue: this.#inQuotes,
        isName,
        leads: this.#weightOf(part) >= weak && this.#leading,
        follows: follows && this.#words.length > 0,
      });
    }
    this.#inClause += 1;
    this.#inSegment += 1;
    if (this.#weightOf(part) >= weak) this.#leading = false;
  }

  #weightOf(part: string, isName = false): number {
    if (this.#inQuotes) return quoted;
    if (requestWords.has(part)) return requesting;
    if (isName) return name;
    if (weakWords.has(part)) return weak;
    return /^\d+$/.test(part) ? numeric : 1;
  }

  #breakSegment(): void {
    if (this.#inSegment > 0) this.#segment += 1;
    this.#inSegment = 0;
  }

  #break(isSentence: boolean): void {
    if (this.#inClause === 0) return;
    if (isSentence || this.#inClause > 1) {
      this.#clause += 1;
      this.#inClause = 0;
      this.#breakSegment();
      this.#leading = true;
    }
  }
}

const phrases: [RegExp, string][] = [
  [/\bwho ?am ?i\b/gi, 'get current authenticated user profile'],
  [/\bhow many\b/gi, 'count'],
  [/\blog ?in\b|\bsign ?in\b/gi, 'login'],
  [/\bset ?up\b/gi, 'create configure'],
  [/\bget rid of\b|\bthrow away\b|\btake off\b/gi, 'remove'],
  [/\bturn on\b|\bswitch on\b/gi, 'enable'],
  [/\bturn off\b|\bswitch off\b/gi, 'disable'],
  [/\blook(?:s|ed|ing)? ?up\b/gi, 'lookup'],
];

/** Files and links are values; what kind of file it is, and that something is to be written to it, says something. */
function spare(text: string): string {
  let plain = text;
  for (const [phrase, said] of phrases) plain = plain.replace(phrase, said);
  return plain.replace(/https?:\/\/\S+/g, ' url ').replace(files, fileWords);
}

const files = /(\b(?:to|in|at|as|into|on|under)\s+)?((?:~|\.{0,2})(?:\/[\w.@-]*[\w@-])+)/gi;
const writing =
  /\b(?:save|saved|write|store|export|output|generate|create|make|draft|report|produce)\b[^.!?;]*$/i;

function fileWords(
  _: string,
  preposition: string | undefined,
  path: string,
  at: number,
  text: string,
): string {
  const [, ending] = /\.([a-z0-9]{1,5})$/i.exec(path) ?? [];
  if (ending === undefined)
    return /^\/[\w-]+$/.test(path) ? `${preposition ?? ''}${path}` : `${preposition ?? ''} directory `;
  const kind = fileKinds.find(([endings]) => endings.includes(ending.toLowerCase()))?.[1] ?? 'file';
  if (preposition === undefined || !writing.test(text.slice(0, at))) return ` ${kind} `;
  return ` ; ${kind === 'file' ? 'write file' : `save ${kind}`} ; `;
}

const fileKinds: [endings: string[], kind: string][] = [
  [['xlsx', 'xls', 'xlsm'], 'excel sheet'],
  [['pptx', 'ppt'], 'presentation'],
  [['docx', 'doc'], 'word document'],
  [['pdf'], 'pdf'],
  [['png', 'jpg', 'jpeg', 'gif', 'webp', 'svg'], 'image'],
  [['mp3', 'wav', 'ogg', 'flac'], 'audio file'],
  [['mp4', 'mov', 'webm'], 'video'],
];
