/*
 * The everyday English of the scripted agent: which names mean the same. It has no word of a service, tool or task on
 * purpose.
 */

const synonyms = [
  'text body message content comment note',
  'title name subject summary',
  'start starts begin begins from since',
  'end ends until to finish',
  'user person member people somebody guest attendee account',
  'change delta quantity adjustment difference',
  'amount total sum price value',
  'due deadline expires expiry',
  'server instance machine vm host',
  'task item ticket issue work',
  'delete remove drop erase',
  'create add new open make write post set',
  'change update edit modify patch move',
  'list find get search show read look',
  'reserve book booking reservation',
  'cancel stop abort withdraw',
  'restart reboot rerun',
  'time when at date on',
  'state status stage phase',
  'reason cause why',
  'email mail',
  'send post write',
  'attach link associate association connect',
  'bring invite add join',
  'voucher coupon discount',
  'carrier courier shipper',
  'topic about purpose',
  'repository repo',
  'organization org',
  'picture image photo',
  'minutes duration',
].map((group) => new Set(group.split(' ').map(stem)));

/** These words say little about a field: `order_id` is nearly `order`. */
const weak = new Set(
  ['id', 'the', 'a', 'an', 'of', 'is', 'at', 'on', 'by', 'in', 'for', 'to', 'and', 'as', 'whose'].map(stem),
);

export function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .map(stem);
}

function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith('s') && !/(ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

/** From 0 (unrelated) to 1 (the same word). */
function alike(one: string, other: string): number {
  if (one === other) return 1;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length >= 3 && long.startsWith(short)) return 0.9;
  return synonyms.some((group) => group.has(one) && group.has(other)) ? 0.8 : 0;
}

/** How well the name of a field fits an everyday name, from 0 to 1. */
export function nameFit(name: string, field: string): number {
  const [ours, theirs] = [wordsOf(name), wordsOf(field)];
  if (ours.length === 0 || theirs.length === 0) return 0;
  if (ours.join('') === theirs.join('')) return 1;
  const left = [...theirs];
  let [matched, total] = [0, 0];
  for (const word of ours) {
    total += weightOf(word);
    const [best, index] = bestOf(word, left);
    if (best === 0) continue;
    const [taken = ''] = left.splice(index, 1);
    matched += best * (weightOf(word) + weightOf(taken));
  }
  for (const word of theirs) total += weightOf(word);
  return matched / total;
}

/** The share of the words of a request that a text has. */
export function textFit(request: string, text: string): number {
  const wanted = wordsOf(request).filter((word) => !weak.has(word));
  const present = [...new Set(wordsOf(text))];
  if (wanted.length === 0) return 0;
  return wanted.reduce((sum, word) => sum + bestOf(word, present)[0], 0) / wanted.length;
}

function bestOf(word: string, others: string[]): [fit: number, index: number] {
  let best: [number, number] = [0, -1];
  for (const [index, other] of others.entries()) {
    const fit = alike(word, other);
    if (fit > best[0]) best = [fit, index];
  }
  return best;
}

function weightOf(word: string): number {
  return weak.has(word) ? 0.3 : 1;
}
