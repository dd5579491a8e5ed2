const maxChars = 2_000;
const maxNames = 20;

/** The names of the fields of the object that is passed to the call which follows in the code. */
export function argumentNames(code: string, offset: number): string[] {
  const text = code.slice(offset, offset + maxChars);
  const opening = /^[\w$.?!\s]*\(\s*\{/.exec(text);
  if (!opening) return [];
  const names: string[] = [];
  let depth = 1;
  let isKey = true;
  const token = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|[A-Za-z_$][\w$]*|[{}()[\],:]/g;
  token.lastIndex = opening[0].length;
  for (let found = token.exec(text); found !== null && depth > 0; found = token.exec(text)) {
    const [part] = found;
    if (/^[{([]$/.test(part)) depth += 1;
    else if (/^[})\]]$/.test(part)) depth -= 1;
    else if (part === ',' && depth === 1) isKey = true;
    else if (part === ':' && depth === 1) isKey = false;
    else if (depth === 1 && isKey && names.length < maxNames) {
      names.push(part.replace(/^["']|["']$/g, ''));
      isKey = false;
    }
  }
  return names;
}
