/**
 * Whether any text about a field suggests a secret. Values in a dialog pass through the client, and its model may read them, so only the page
 * asks for secrets. The list of words is broad because it can never be complete.
 */
export function asksForSecret(texts: readonly unknown[]): boolean {
  return texts.some((text) => typeof text === 'string' && secret.test(asWords(text)));
}

/** `userPIN`, `user_pin` and `user-pin` are two words each. Invisible characters do not separate words. */
function asWords(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/(\p{Ll})(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2 ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .toLowerCase();
}

/** Matched anywhere, also within a longer word. */
const stems = [
  'pass ?(?:word|wd|wort|phrase|code|key)',
  'secret',
  'token',
  'credential',
  'mnemonic',
  '(?:api|access|private|secret|signing|encryption|master|account|license|recovery|ssh) ?keys?',
  '(?:security|verification|confirmation|recovery|backup|access|auth|authentication|authorization|login|sms|one ?time|2 ?fa|two ?factor) ?codes?',
  '(?:seed|recovery|backup) ?(?:phrase|word)s?',
  'security ?answer',
  'maiden ?name',
  'social ?security',
  '(?:card|account) ?numbers?',
  'credit ?card',
  'session ?(?:id|cookie)',
];

/** Matched only as whole words: `shipping` contains `pin`. */
const words = [
  '(?:user|card|sim)?pins?(?:code)?',
  'pass',
  'pwd',
  'pw',
  't?otp(?:code)?',
  'mfa',
  '[2t] ?fa',
  'cv[vc]2?',
  'ssn',
  'bearer',
  'jwt',
];

const secret = new RegExp(`${stems.join('|')}|(?<![a-z])(?:${words.join('|')})(?![a-z])`);
