/**
 * Code out of a Markdown fence. Everything around it is blanked rather than cut, so that lines keep their numbers. A
 * fence counts when the text begins with one, or when prose before it cannot be code.
 */
const fence = /^[ \t]*(```+|~~~+)[^\n`]*\n([\s\S]*?)^[ \t]*\1[ \t]*$/m;

export function unfence(text: string): string {
  const found = fence.exec(text);
  if (!found || !isMarkdown(text.slice(0, found.index))) return text;
  const code = found[2] ?? '';
  const start = text.indexOf(code, text.indexOf('\n', found.index));
  return blank(text.slice(0, start)) + code;
}

/** Backticks inside code open template literals: only text without any sign of code before the fence is prose. */
function isMarkdown(before: string): boolean {
  return !/[;={}()`]/.test(before);
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
