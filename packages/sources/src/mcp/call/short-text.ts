/** Text of the server, cut and without characters that control a terminal. */
export function shortText(text: string, maxChars: number): string {
  const start = text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
  return start.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ' ');
}
