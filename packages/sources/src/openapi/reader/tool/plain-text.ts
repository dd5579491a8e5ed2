/** Text is cut to this length first, so that no pattern runs on a megabyte. */
const longestRead = 8_000;

/** A description as plain text: without HTML and Markdown, cut at a word boundary. */
export function plainText(text: string, longest: number): string {
  if (text.length <= longest && isPlain(text)) return text.trim();
  const plain = text
    .slice(0, longestRead)
    .replace(/<\/?[a-zA-Z][^<>]{0,500}>/g, ' ')
    .replace(/!?\[([^[\]]{1,300})\]\((?:[^()]|\([^()]{0,200}\)){0,1000}\)/g, '$1')
    .replace(/&(lt|gt|amp|quot|#39|nbsp);/g, (entity) => entities.get(entity) ?? entity)
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return cutOnWord(plain, longest);
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

function cutOnWord(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const cut = text.slice(0, longest);
  const end = cut.search(/\s\S*$/);
  return `${cut.slice(0, end > longest / 2 ? end : longest).trimEnd()}…`;
}
