/** Whether a text is of an integer that JavaScript would round. Who checks an input and who sends it must agree on it. */
export function isLargeInteger(text: string): boolean {
  return /^-?[1-9]\d{15,}$/.test(text) && !Number.isSafeInteger(Number(text));
}
