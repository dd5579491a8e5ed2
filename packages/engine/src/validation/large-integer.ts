/** Whether a text is the digits of an integer that a number would round. Who rules on an input, checks it and sends it must agree on it. */
export function isLargeInteger(text: string): boolean {
  return /^-?[1-9]\d{15,}$/.test(text) && !Number.isSafeInteger(Number(text));
}
