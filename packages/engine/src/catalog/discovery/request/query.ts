import { intentsOf, isVerb } from '../lexicon/intents.ts';
import {
  askingWords,
  clauseBreaks,
  emptyWords,
  pronouns,
  requestWords,
  segmentBreaks,
  topicWords,
  weakWords,
} from '../lexicon/stop-words.ts';
import { eachRun, isHanRun } from '../text/runs.ts';
import { partsOf, termsOf } from '../text/terms.ts';
import { plainRequest } from './normalize-request.ts';

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
  /** What something is to be about: whatever that is, a tool need not speak of it. */
  isTopic: boolean;
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
  /** Clauses that ask to be told something: `show me the last commits`, `which orders are open`. */
  asking: ReadonlySet<number>;
}

const ofMine = /\b(?:my|mine|our|myself|(?:to|by|for) me)\b/i;

const maxCharacters = 8_000;
const maxWords = 160;

const quoted = 0.35;
const requesting = 0.3;
const numeric = 0.3;
const weak = 0.65;
const name = 0.8;

// A point within a number, a time, a name or a file (`4.4`, `6:30`, `notes.md`) ends nothing.
const breaks = /[.:!?&,](?<![.:!?&,]{2})[^\s\w]*\s|[;\n。；！？，]|\s&/;
const sentenceBreaks = /[.!?](?<![.!?]{2})[^\s\w]*\s|[;\n。；！？]/;

/** `Dr. Smith`, `Washington D.C. today`. */
function isShortened(before: string, gap: string): boolean {
  return (
    /^\.\s/.test(gap) &&
    (/^[B-HJ-Z]$/.test(before) || /^(?:mr|mrs|ms|dr|prof|st|no|vs|approx|jr|sr)$/i.test(before))
  );
}

/** `isSource` says whether a word names one of the systems that are searched. */
export function readQuery(text: string, isSource: (word: string) => boolean = () => false): Query {
  const reader = new QueryReader(plainRequest(text.slice(0, maxCharacters), isSource));
  return reader.read();
}

/** How much a word counts that is not quoted. */
export function weightOf(word: string, isName = false): number {
  if (requestWords.has(word)) return requesting;
  if (isName) return name;
  if (weakWords.has(word)) return weak;
  return /^\d+$/.test(word) ? numeric : 1;
}

class QueryReader {
  readonly #text: string;
  readonly #words: QueryWord[] = [];
  #clause = 0;
  #inClause = 0;
  #segment = 0;
  #inSegment = 0;
  #leading = true;
  /** Clauses that go on with the one before: `create a label and a milestone`. */
  readonly #continued = new Set<number>();
  readonly #asking = new Set<number>();
  /** Clauses that speak of what the one before spoke of: `then merge it`. */
  readonly #referring = new Set<number>();
  #inQuotes = false;
  #inTopic = false;
  #wasBroken = true;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Query {
    const text = this.#text;
    let last = 0;
    let before = '';
    eachRun(text, (run, start) => {
      if (this.#words.length >= maxWords) return;
      this.#pass(text.slice(last, start), before);
      this.#take(run, start);
      last = start + run.length;
      before = run;
    });
    this.#share();
    this.#refer();
    return {
      words: this.#words,
      clauses: this.#clause + 1,
      segments: this.#segment + 1,
      isMine: ofMine.test(text),
      asking: this.#asking,
    };
  }

  /** What is between two words, after the one before it. */
  #pass(gap: string, before: string): void {
    // An apostrophe within a word is no quotation mark.
    if (!/^['’]$/.test(gap) && /["“”„«»‘`]|(?:^|\s)'|'(?:\s|[,.;:!?]|$)/.test(gap))
      this.#inQuotes = /["“„«‘`]\s*$|(?:^|\s)'$/.test(gap) && !(this.#inQuotes && /^["'`]/.test(gap));
    if (breaks.test(gap) && !isShortened(before, gap)) this.#break(sentenceBreaks.test(gap));
    this.#wasBroken = /\S/.test(gap) && !/^\s*[-_/.]\s*$/.test(gap);
  }

  #take(run: string, start: number): void {
    const parts = isHanRun(run) ? termsOf(run) : partsOf(run);
    for (const [place, part] of parts.entries()) {
      if (clauseBreaks.has(part) && !this.#inQuotes) this.#break(false);
      if (segmentBreaks.has(part) && !this.#inQuotes) this.#breakSegment();
      this.#inTopic ||= topicWords.has(part) && !this.#inQuotes;
      if (!this.#inQuotes) this.#noteManner(part);
      if (emptyWords.has(part)) continue;
      this.#add(run, part, start > 0 && this.#inClause > 0, place > 0 || !this.#wasBroken);
    }
  }

  #noteManner(part: string): void {
    if (this.#leading && askingWords.has(part)) this.#asking.add(this.#clause);
    if (pronouns.has(part)) this.#referring.add(this.#clause);
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
        isTopic: this.#inTopic,
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
    return weightOf(part, isName);
  }

  #breakSegment(): void {
    if (this.#inSegment > 0) this.#segment += 1;
    this.#inSegment = 0;
  }

  #break(isSentence: boolean): void {
    if (this.#inClause === 0) return;
    if (isSentence || this.#inClause > 1 || this.#isLoneVerb()) {
      this.#clause += 1;
      this.#inClause = 0;
      this.#inTopic = false;
      this.#breakSegment();
      this.#leading = true;
      if (!isSentence) this.#continued.add(this.#clause);
    }
  }

  /** `star and fork the repo` wants two things done. */
  #isLoneVerb(): boolean {
    const last = this.#words.at(-1);
    return last?.leads === true && isVerb(last.text);
  }

  /** `open a pull request, then merge it`: what is merged was said before. */
  #refer(): void {
    for (const clause of this.#referring) {
      const own = this.#words.filter((word) => word.clause === clause);
      if (clause === 0 || own.length === 0 || !own.every(saysOnlyHow)) continue;
      const segment = own[0]?.segment ?? this.#segment;
      const before = this.#words.filter((word) => word.clause === clause - 1 && !isLeadingVerb(word));
      this.#words.push(...before.map((word) => ({ ...word, clause, segment, follows: false })));
    }
  }

  /** What is said once of several: `star and fork the repo`, `create a label and a milestone`. */
  #share(): void {
    for (const clause of this.#continued) {
      const before = this.#words.filter((word) => word.clause === clause - 1);
      const own = this.#words.filter((word) => word.clause === clause);
      const [verb, first] = [before.find(isLeadingVerb), own.find(isLeadingVerb)];
      const segment = own[0]?.segment ?? this.#segment;
      if (verb && !first) this.#words.push({ ...verb, clause, segment, follows: false });
      else if (verb && before.length === 1)
        this.#words.push(
          ...own
            .filter((word) => word !== first)
            .map((word) => ({ ...word, clause: clause - 1, follows: false })),
        );
    }
  }
}

function isLeadingVerb({ leads, text }: QueryWord): boolean {
  return leads && isVerb(text);
}

/** To merge or to delete says little without what; to refund says it all. */
function saysOnlyHow(word: QueryWord): boolean {
  return isLeadingVerb(word) && intentsOf(word.text).length > 0;
}
