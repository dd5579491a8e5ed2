import type { ToolText } from '@executor/engine';
import { partsOf } from '../text/terms.ts';
import { eachToken } from '../text/tokens.ts';

/** The texts of a tool that say what it is for. */
export interface Titles {
  name: string;
  /** The groups in its path, and its tags. */
  group: string;
  /** The first line or sentence of its description. */
  summary: string;
  /** The rest of its description. */
  text: string;
  /** Its HTTP path without parameters. */
  route: string;
  /** The text whose meaning is compared with that of requests. */
  meaning: string;
}

const maxText = 360;
const maxSummary = 160;

export function titlesOf({ path, name: ownName, tags, description, route = '' }: ToolText): Titles {
  const start = path.indexOf('.') + 1;
  const last = path.lastIndexOf('.') + 1;
  const name = nameOf(path.slice(last), ownName);
  const group = [last > start ? path.slice(start, last - 1) : '', ...tags].join(' ');
  // A description from the comment of a function begins with an empty line.
  const about = description.trimStart();
  const end = about.search(/\n|[.!?;](?:\s|$)|[。！？；]/);
  const cut = Math.min(end < 0 ? about.length : end, maxSummary);
  const summary = about.slice(0, cut);
  return {
    name,
    group,
    summary,
    text: about.slice(cut, cut + maxText),
    route: route.replace(/\{[^{}]*\}/g, ' '),
    meaning: `${summary}. ${name} ${group}`,
  };
}

/** Adds the name in the source's own document, which may say more than the last segment of the path. */
function nameOf(lastPathSegment: string, original: string): string {
  // `issues/list-for-repo` has a group in front.
  const ownName = original.slice(Math.max(original.lastIndexOf('/'), original.lastIndexOf('.')) + 1);
  return ownName === '' || ownName === lastPathSegment ? lastPathSegment : `${lastPathSegment} ${ownName}`;
}

const maxSpoken = 400;

/** The same text for a language model, which knows words, but no identifiers such as `listForRepo`. */
export function spokenText({ summary, name, group }: Titles): string {
  return `${summary}. ${wordsOf(name)} ${wordsOf(group)}`.trim().slice(0, maxSpoken);
}

function wordsOf(text: string): string {
  const words: string[] = [];
  eachToken(text, (token) => words.push(...partsOf(token)));
  return words.join(' ');
}
