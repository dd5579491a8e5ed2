/** Whether a text is of an integer that JavaScript would round. */
export function isLargeInteger(text: string): boolean {
  return /^-?[1-9]\d{15,}$/.test(text) && !Number.isSafeInteger(Number(text));
}
