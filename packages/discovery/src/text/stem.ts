/**
 * The stem of an English word, without its inflection: `issues`, `issue`; `merged`, `merging`, `merge`; `calculation`,
 * `calculate`. It follows Porter's steps, with a table of words that they would stem wrongly. Requests and tools are
 * both stemmed, so a stem need not be a word.
 */
export function stem(word: string): string {
  const known = exceptions.get(word) ?? stems.get(word);
  if (known !== undefined) return known;
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  const result = stemOf(word);
  // Most words repeat, but their number is unbounded.
  if (stems.size >= maxStems) stems.clear();
  stems.set(word, result);
  return result;
}

const maxStems = 1 << 13;
const stems = new Map<string, string>();

function stemOf(word: string): string {
  const bare = withoutPlural(word);
  const singular = exceptions.get(bare);
  if (singular !== undefined) return singular;
  const active = withoutTense(bare);
  const base = exceptions.get(active) ?? withoutEndings(active);
  return base.length > 3 && base.endsWith('e') && measure(base.slice(0, -1)) > 0 ? base.slice(0, -1) : base;
}

/** Word families whose members would get the stem of another family, or different stems, by the rules. */
const families: Record<string, string> = {
  analyz:
    'analysis analyses analyze analyzes analyzed analyzing analyzer analytics analytic analyse analysed analyser analytical',
  organiz: 'organization organizations organisation organisations org orgs',
  general: 'general',
  generat: 'generate generates generated generating generation generator generators',
  news: 'news',
  convert: 'conversion conversions convert converts converted converting converter',
  delet: 'deletion deletions delete deletes deleted deleting',
  remov: 'removal removals remove removes removed removing',
  retriev: 'retrieval retrieve retrieves retrieved retrieving',
  approv: 'approval approvals approve approves approved approving',
  univers: 'universe universal',
  university: 'university universities',
  person: 'person persons people',
  child: 'child children',
  man: 'man men',
  woman: 'woman women',
  datum: 'data datum',
  index: 'index indexes indices',
  matrix: 'matrix matrices',
  vertex: 'vertex vertices',
  medium: 'media medium',
  polic: 'policy policies',
  police: 'police',
  find: 'find finds found',
  finding: 'finding findings',
  send: 'send sends sent sending',
  run: 'run runs ran running',
  buy: 'buy buys bought buying',
  sell: 'sell sells sold selling',
  get: 'get gets got getting',
  write: 'write writes wrote written writing writer',
  read: 'read reads reading reader',
  speak: 'speak speaks spoke spoken speaking',
  make: 'make makes made making',
  take: 'take takes took taken taking',
  set: 'set sets setting',
  setting: 'settings',
  put: 'put puts putting',
  pay: 'pay pays paid paying payment payments',
  translat: 'translate translates translated translating translation translations translator',
  subscrib: 'subscribe subscribes subscribed subscribing subscriber subscription subscriptions',
  deploy: 'deploy deploys deployed deploying deployment deployments',
  recommend: 'recommend recommends recommended recommendation recommendations recommending',
  invit: 'invite invites invited inviting invitation invitations',
  categor: 'category categories categorize categorise',
  summar: 'summary summaries summarize summarise summarizes summarized summarizing summarization',
  descrip: 'describe describes described description descriptions',
  assign: 'assign assigns assigned assigning assignment assignments assignee assignees',
  user: 'user users',
  use: 'use uses used using usage',
  number: 'number numbers',
  integer: 'integer integers',
  character: 'character characters',
  weather: 'weather',
  meter: 'meter meters metre metres',
  serv: 'serve serves served serving',
  server: 'server servers',
  servic: 'service services',
  posit: 'position positions',
  post: 'post posts posted posting',
  postal: 'postal',
  commun: 'community communities',
  communicat: 'communicate communication communications',
  author: 'author authors',
  authoriz: 'authorize authorise authorization authorisation authorizations authorized',
  authenticat: 'authenticate authentication authenticator auth',
  direct: 'direct',
  director: 'director directors directed directing',
  directory: 'directory directories',
  direction: 'direction directions',
  factor: 'factor factors',
  factory: 'factory factories',
  histor: 'history histories historical historic',
  stock: 'stock stocks',
  mov: 'move moves moved moving',
  movie: 'movie movies',
  even: 'even',
  event: 'event events',
  messag: 'message messages messaging',
  pass: 'pass passes passed passing',
  past: 'past',
  playlist: 'playlist playlists',
  play: 'play plays played playing',
  player: 'player players',
  oper: 'operate operates operation operations operating',
  operator: 'operator operators',
  import: 'import imports imported importing',
  important: 'important importance',
  notif: 'notify notifies notified notifying notification notifications',
  identif: 'identify identifies identified identification',
  repositor: 'repository repositories repo repos',
  status: 'status statuses',
  id: 'id ids identifier identifiers',
  verif: 'verify verifies verified verifying verification verifications verifier',
  custom: 'custom',
  customer: 'customer customers',
  customiz: 'customize customizes customized customizing customization customizations customise customised',
  plan: 'plan plans planned planning planner',
  plane: 'plane planes',
  alias: 'alias aliases',
  canvas: 'canvas canvases',
  bias: 'bias biases',
  lens: 'lens lenses',
  gas: 'gas gases',
  cancel: 'cancel cancels canceled cancelled canceling cancelling cancellation cancellations',
  label: 'label labels labeled labelled labeling labelling',
  model: 'model models modeled modelled modeling modelling',
  travel: 'travel travels traveled travelled traveling travelling traveler traveller travelers travellers',
  signal: 'signal signals signaled signalled signaling signalling',
  api: 'api apis',
  db: 'db dbs',
  ip: 'ip ips',
  pr: 'pr prs',
  vm: 'vm vms',
  mr: 'mr mrs',
};

const exceptions = new Map(
  Object.entries(families).flatMap(([to, words]) => words.split(' ').map((word) => [word, to] as const)),
);

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:x|ch|sh|ss|zz)es$/.test(word)) return word.slice(0, -2);
  return /(?:ss|us|is)$/.test(word) || !word.endsWith('s') ? word : word.slice(0, -1);
}

function withoutTense(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const cut = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0;
  const base = word.slice(0, word.length - cut);
  if (cut === 0 || base.length < 3 || !/[aeiouy]/.test(base)) return word;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (/([^aeiouylsz])\1$/.test(base)) return base.slice(0, -1);
  return measure(base) === 1 && /[^aeiou][aeiouy][^aeiouwxy]$/.test(base) ? `${base}e` : base;
}

/** The longest matching ending is replaced. `minMeasure` is the minimum measure of the word without it. */
const endings: [ending: string, to: string, minMeasure: number][] = [
  ['ization', 'ize', 1],
  ['ational', 'ate', 1],
  ['fulness', 'ful', 1],
  ['ousness', 'ous', 1],
  ['iveness', 'ive', 1],
  ['ability', 'able', 1],
  ['ibility', 'ible', 1],
  ['ation', '', 2],
  ['ition', '', 2],
  ['ement', '', 2],
  ['ness', '', 1],
  ['ator', '', 2],
  ['ance', '', 2],
  ['ence', '', 2],
  ['able', '', 2],
  ['ible', '', 2],
  ['ment', '', 2],
  ['ful', '', 1],
  ['ction', 'ct', 1],
  ['ption', 'pt', 1],
  ['ssion', 'ss', 1],
  ['ion', '', 2],
  ['ism', '', 2],
  ['ate', '', 2],
  ['ive', '', 2],
  ['ize', '', 2],
  ['ise', '', 2],
  ['ity', '', 2],
  ['al', '', 2],
  ['er', '', 2],
  ['or', '', 2],
  ['ly', '', 2],
];

/** The endings by their last letters. Most words have none of them. */
const endingsOf = new Map<string, typeof endings>();
for (const entry of endings) {
  const last = entry[0].slice(-1);
  endingsOf.set(last, [...(endingsOf.get(last) ?? []), entry]);
}

function withoutEndings(word: string): string {
  const vowelY = /[^aeiou]y$/.test(word) && word.length > 3 ? `${word.slice(0, -1)}i` : word;
  for (const [ending, to, minMeasure] of endingsOf.get(word.slice(-1)) ?? []) {
    if (!word.endsWith(ending)) continue;
    const base = word.slice(0, -ending.length);
    if (measure(base + to) < minMeasure || (ending === 'ion' && !/[st]$/.test(base))) continue;
    return base + to;
  }
  return vowelY;
}

/** The number of times that a consonant follows a vowel, roughly the number of syllables. */
function measure(word: string): number {
  let count = 0;
  let wasVowel = false;
  for (let position = 0; position < word.length; position++) {
    const letter = word.charCodeAt(position) - 97;
    const isVowel: boolean = ((vowels >> letter) & 1) === 1 || (letter === y && position > 0 && !wasVowel);
    if (wasVowel && !isVowel) count += 1;
    wasVowel = isVowel;
  }
  return count;
}

const y = 24;
/** A bit for each letter of the alphabet. */
const vowels = [...'aeiou'].reduce((bits, letter) => bits | (1 << (letter.charCodeAt(0) - 97)), 0);
