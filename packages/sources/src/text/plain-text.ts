/** Text is cut to this length first, so that no regular expression runs on a megabyte. */
const maxReadChars = 8_000;

/** A description as plain text: without HTML and Markdown, cut at a word boundary. */
export function plainText(text: string, maxChars: number): string {
  if (text.length <= maxChars && isPlain(text)) return text.trim();
  const plain = text
    .slice(0, maxReadChars)
    .replace(/<\/?[a-zA-Z][^<>]{0,500}>/g, ' ')
    .replace(/!?\[([^[\]]{1,300})\]\((?:[^()]|\([^()]{0,200}\)){0,1000}\)/g, '$1')
    .replace(/&(lt|gt|amp|quot|#39|nbsp);/g, (entity) => entities.get(entity) ?? entity)
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return cutOnWord(plain, maxChars);
}

const entities = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&nbsp;', ' '],
]);

function isPlain(text: string): boolean {
  return !/[<&\r\t\]]|\n\n\n| {2}/.test(text);
}

function cutOnWord(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, maxChars);
  const end = cut.search(/\s\S*$/);
  return `${cut.slice(0, end > maxChars / 2 ? end : maxChars).trimEnd()}…`;
}
