/**
 * What is typed into a dialog passes through the client, and may be read by its model. So what wants something secret, by its name or by
 * any word about it, is never asked in one. Better a page too often: a list of words is never complete.
 */
export function asksForSecret(texts: readonly unknown[]): boolean {
  return texts.some((text) => typeof text === 'string' && secret.test(asWords(text)));
}

/** `userPIN`, `user_pin` and `user-pin` are two words each; what cannot be seen divides none. */
function asWords(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/(\p{Ll})(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2 ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .toLowerCase();
}

/** Anywhere, also within a longer word. */
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

/** Only as words: `pin` is in `shipping`. */
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
