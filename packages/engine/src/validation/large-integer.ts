/** Whether a text consists of the digits of an integer that a number would round. Policies, validation and sources must agree on this. */
export function isLargeInteger(text: string): boolean {
  return /^-?[1-9]\d{15,}$/.test(text) && !Number.isSafeInteger(Number(text));
}
