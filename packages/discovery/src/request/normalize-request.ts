import { isWord } from '../lexicon/lexicon.ts';

/**
 * Rewrites the text of a request before its words are read. It replaces phrases by one word, and quotes names, dates
 * and addresses, because they are values for a tool. A link becomes `url`, and a file becomes words for its kind and
 * for writing it.
 */
export function normalizeRequest(text: string, isSource: (word: string) => boolean): string {
  let plain = text;
  for (const [phrase, replacement] of phrases) plain = plain.replace(phrase, replacement);
  plain = plain.replace(/https?:\/\/\S+/g, ' url ');
  plain = outsideQuotes(plain, (part) =>
    part
      .replace(addresses, '"$&"')
      .replace(pairs, (pair, one: string, other: string) =>
        isPairOfNames(one, other) && !pair.split(/\W/).some(isSource) ? `"${pair}"` : pair,
      ),
  ).replace(files, fileWords);
  return outsideQuotes(plain, (part) => part.replace(dates, ' "$&" '));
}

/** Changes only the text outside of quotations. An added quotation mark would end a quotation. */
function outsideQuotes(text: string, change: (part: string) => string): string {
  return text
    .split(/("[^"]*"|“[^”]*”|«[^»]*»|`[^`]*`|(?<=^|\s)'[^'\n]*'(?=\W|$))/)
    .map((part, position) => (position % 2 === 1 ? part : change(part)))
    .join('');
}

/** Phrases that mean the same as the words on their right. */
const phrases: [RegExp, string][] = [
  [/\bwho ?am ?i\b/gi, 'get current authenticated user profile'],
  [/\bhow many\b/gi, 'count'],
  [/\blog ?in\b|\bsign ?in\b/gi, 'login'],
  [/\bset ?up\b/gi, 'create configure'],
  [/\bget rid of\b|\bthrow away\b|\btake off\b/gi, 'remove'],
  [/\bturn on\b|\bswitch on\b/gi, 'enable'],
  [/\bturn off\b|\bswitch off\b/gi, 'disable'],
  [/\blook(?:s|ed|ing)? ?up\b/gi, 'lookup'],
  [/\bkick(?:s|ed|ing)? ?off\b|\bfire ?up\b|\bspin ?up\b/gi, 'start'],
  [/\bshut ?down\b/gi, 'stop'],
  [/\bcall off\b/gi, 'cancel'],
  [/\btear ?down\b|\btake down\b/gi, 'delete'],
  [/\bbring back\b/gi, 'restore'],
  [/\blog ?out\b|\bsign ?out\b/gi, 'logout'],
  [/\bsign ?up\b/gi, 'register'],
  [/\bfill (?:in|out)\b/gi, 'complete'],
  [/\bmark(?:s|ed|ing)? (.{1,60}?) as (?:done|completed?|finished)\b/gi, 'complete $1'],
  [/\bsingle sign[ -]?on\b/gi, 'sso'],
  [/\bthumbs[ -](?:up|down)\b/gi, 'thumbs reaction'],
  [/\be-mail/gi, 'email'],
  [/\babout (?=\d)/gi, ''],
];

const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const day = '\\d{1,2}(?:st|nd|rd|th)?';
const year = '\\d{4}';
const moments = [
  `${month}\\.? (?:the )?${day}(?:,? ${year})?`,
  `${day} (?:of )?${month}(?:,? ${year})?`,
  `${month},? ${year}`,
  `${year}-\\d\\d-\\d\\d`,
  '\\d{1,2}/\\d{1,2}/\\d{2,4}',
  '\\d{1,2}(?::\\d\\d){1,2}(?: ?[ap]\\.?m\\b)?',
  '\\d{1,2} ?[ap]\\.?m',
];
/** Dates and times are values for a tool: `March 6th, 2019`, `6 of March`, `2019-03-06`, `5:15 pm`. */
const dates = new RegExp(`(?<![\\w/.-])(?:${moments.join('|')})(?![\\w/-]|\\.\\w)`, 'gi');
const addresses = /(?<!["'`“‘\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{0,64}\w/g;
const pairs = /(?<!["'`“‘/~.\w-])([\w.-]{1,60})\/([\w.-]{0,60}\w)(?![\w/"'`])/g;

/** `octocat/hello-world` is a name; `read/write` means one word or the other. */
function isPairOfNames(one: string, other: string): boolean {
  if (/^[A-Z]+$/.test(one + other) || fileEnding.test(other)) return false;
  return ![one, other].every((word) => isWord(word.toLowerCase()));
}

const fileEnding = /\.([a-z0-9]{1,5})$/i;
const files = /(\b(?:to|in|at|as|into|on|under)\s+)?(?<![\w"])((?:~|\.{0,2})(?:\/[\w.@-]*[\w@-])+)/gi;
const writing =
  /\b(?:save|saved|write|store|export|output|generate|create|make|draft|report|produce)\b[^.!?;]*$/i;

/** The number of characters before a file name that are searched for a verb of writing. */
const maxVerbDistance = 300;

function fileWords(
  _: string,
  preposition: string | undefined,
  path: string,
  start: number,
  text: string,
): string {
  const [, ending] = fileEnding.exec(path) ?? [];
  if (ending === undefined)
    return /^\/[\w-]+$/.test(path) ? `${preposition ?? ''}${path}` : `${preposition ?? ''} directory `;
  const kind = fileKinds.find(([endings]) => endings.includes(ending.toLowerCase()))?.[1] ?? 'file';
  if (preposition === undefined || !writing.test(text.slice(Math.max(0, start - maxVerbDistance), start)))
    return ` ${kind} `;
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
