import { intentsOf, isVerb } from '../lexicon/intents.ts';
import {
  askingWords,
  clauseBreaks,
  emptyWords,
  pronouns,
  requestWords,
  topicWords,
  weakWords,
} from '../lexicon/stop-words.ts';
import { partsOf, termsOf } from '../text/terms.ts';
import { eachToken, isHanToken } from '../text/tokens.ts';
import { normalizeRequest } from './normalize-request.ts';

/*
 * A request is read as weighted words in clauses: `skip to the next track and set the volume to 60` has two clauses.
 * Quotations, paths of files and numbers are values for a tool, and say little about which tool is wanted.
 */

export interface QueryWord {
  /** In lower case. */
  text: string;
  /** The stem that tools are searched for. */
  term: string;
  weight: number;
  clause: number;
  /** The word is a value for a tool: quoted, or part of a path. */
  isValue: boolean;
  /** The word has a capital in the middle of a sentence. */
  isName: boolean;
  /**
   * The word is the subject of the content, such as `elections` in `articles about elections`. Tools need not mention
   * it.
   */
  isTopic: boolean;
  /** The word is the first meaningful one of its clause, where a verb says what to do. */
  leads: boolean;
  /** Only blanks separate the word from the one before it. */
  follows: boolean;
}

export interface Query {
  words: QueryWord[];
  /** All words outside of quotations, in lower case. */
  spoken: { text: string; clause: number }[];
  clauses: number;
  /** Clauses that ask for information: `show me the last commits`, `which orders are open`. */
  asking: ReadonlySet<number>;
}

const maxCharacters = 8_000;
const maxWords = 160;

const weights = { quoted: 0.35, request: 0.3, number: 0.3, weak: 0.65, name: 0.8, usual: 1 };

// A point inside of a number, a time, a name or a file (`4.4`, `6:30`, `notes.md`) does not end a clause.
const breaks = /[.:!?&,](?<![.:!?&,]{2})[^\s\w]*\s|[;\n。；！？，]|\s&/;
const sentenceBreaks = /[.!?](?<![.!?]{2})[^\s\w]*\s|[;\n。；！？]/;

/** `Dr. Smith`, `Washington D.C. today`. */
function isAbbreviation(before: string, gap: string): boolean {
  return (
    /^\.\s/.test(gap) &&
    (/^[B-HJ-Z]$/.test(before) || /^(?:mr|mrs|ms|dr|prof|st|no|vs|approx|jr|sr)$/i.test(before))
  );
}

/** `isSource` tests whether a word is the name of a searched source. */
export function readQuery(text: string, isSource: (word: string) => boolean = () => false): Query {
  const reader = new QueryReader(normalizeRequest(text.slice(0, maxCharacters), isSource));
  return reader.read();
}

/** The weight of a word outside of quotations. */
export function weightOf(word: string, isName = false): number {
  if (requestWords.has(word)) return weights.request;
  if (isName) return weights.name;
  if (weakWords.has(word)) return weights.weak;
  return /^\d+$/.test(word) ? weights.number : weights.usual;
}

class QueryReader {
  readonly #text: string;
  readonly #words: QueryWord[] = [];
  readonly #spoken: Query['spoken'] = [];
  #clause = 0;
  #clauseWords = 0;
  /** No meaningful word of the clause was read yet. */
  #isLeading = true;
  /** Clauses that continue the sentence of the clause before: `create a label and a milestone`. */
  readonly #continued = new Set<number>();
  readonly #asking = new Set<number>();
  /** Clauses with a pronoun for the object of the clause before: `then merge it`. */
  readonly #referring = new Set<number>();
  #inQuotes = false;
  #inTopic = false;
  /** Something other than a blank precedes the next word. */
  #isSeparated = true;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Query {
    const text = this.#text;
    let last = 0;
    let before = '';
    eachToken(text, (token, start) => {
      if (this.#words.length >= maxWords) return;
      this.#readGap(text.slice(last, start), before);
      this.#readToken(token, start);
      last = start + token.length;
      before = token;
    });
    this.#shareWords();
    this.#resolvePronouns();
    return {
      words: this.#words,
      spoken: this.#spoken,
      clauses: this.#clause + 1,
      asking: this.#asking,
    };
  }

  /** Reads the text between two words. */
  #readGap(gap: string, before: string): void {
    // An apostrophe inside of a word is not a quotation mark.
    if (!/^['’]$/.test(gap) && /["“”„«»‘`]|(?:^|\s)'|'(?:\s|[,.;:!?]|$)/.test(gap))
      this.#inQuotes = /["“„«‘`]\s*$|(?:^|\s)'$/.test(gap) && !(this.#inQuotes && /^["'`]/.test(gap));
    if (breaks.test(gap) && !isAbbreviation(before, gap)) this.#breakClause(sentenceBreaks.test(gap));
    this.#isSeparated = /\S/.test(gap) && !/^\s*[-_/.]\s*$/.test(gap);
  }

  #readToken(token: string, start: number): void {
    const parts = isHanToken(token) ? termsOf(token).map(({ term }) => term) : partsOf(token);
    for (const [position, part] of parts.entries()) {
      if (clauseBreaks.has(part) && !this.#inQuotes) this.#breakClause(false);
      this.#inTopic ||= topicWords.has(part) && !this.#inQuotes;
      if (!this.#inQuotes) {
        this.#markClause(part);
        if (this.#spoken.length < maxWords) this.#spoken.push({ text: part, clause: this.#clause });
      }
      if (emptyWords.has(part)) continue;
      this.#addWord(token, part, {
        isInside: start > 0 && this.#clauseWords > 0,
        follows: position > 0 || !this.#isSeparated,
      });
    }
  }

  #markClause(part: string): void {
    if (this.#isLeading && askingWords.has(part)) this.#asking.add(this.#clause);
    if (pronouns.has(part)) this.#referring.add(this.#clause);
  }

  #addWord(
    token: string,
    part: string,
    { isInside, follows }: { isInside: boolean; follows: boolean },
  ): void {
    const isName = isInside && /^\p{Lu}/u.test(token);
    for (const [position, { term }] of termsOf(part).entries()) {
      this.#words.push({
        text: part,
        term,
        weight: this.#weightOf(part, isName) * (position > 0 ? 0.5 : 1),
        clause: this.#clause,
        isValue: this.#inQuotes,
        isName,
        isTopic: this.#inTopic,
        leads: this.#weightOf(part) >= weights.weak && this.#isLeading,
        follows: follows && this.#words.length > 0,
      });
    }
    this.#clauseWords += 1;
    if (this.#weightOf(part) >= weights.weak) this.#isLeading = false;
  }

  #weightOf(part: string, isName = false): number {
    if (this.#inQuotes) return weights.quoted;
    return weightOf(part, isName);
  }

  #breakClause(isSentence: boolean): void {
    if (this.#clauseWords === 0) return;
    if (isSentence || this.#clauseWords > 1 || this.#isLoneVerb()) {
      this.#clause += 1;
      this.#clauseWords = 0;
      this.#inTopic = false;
      this.#isLeading = true;
      if (!isSentence) this.#continued.add(this.#clause);
    }
  }

  /** `star` in `star and fork the repo` is a clause of its own. */
  #isLoneVerb(): boolean {
    const last = this.#words.at(-1);
    return last?.leads === true && isVerb(last.text);
  }

  /** Copies the object of the clause before into a clause with a pronoun: `open a pull request, then merge it`. */
  #resolvePronouns(): void {
    for (const clause of this.#referring) {
      const own = this.#words.filter((word) => word.clause === clause);
      if (clause === 0 || own.length === 0 || !own.every(isGeneralVerb)) continue;
      const before = this.#words.filter((word) => word.clause === clause - 1 && !isLeadingVerb(word));
      this.#words.push(...before.map((word) => ({ ...word, clause, follows: false })));
    }
  }

  /** Copies words that two clauses share: `star and fork the repo`, `create a label and a milestone`. */
  #shareWords(): void {
    for (const clause of this.#continued) {
      const before = this.#words.filter((word) => word.clause === clause - 1);
      const own = this.#words.filter((word) => word.clause === clause);
      const [verb, first] = [before.find(isLeadingVerb), own.find(isLeadingVerb)];
      if (verb && !first) this.#words.push({ ...verb, clause, follows: false });
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

/** `merge` and `delete` need an object to mean something. `refund` does not. */
function isGeneralVerb(word: QueryWord): boolean {
  return isLeadingVerb(word) && intentsOf(word.text).length > 0;
}
