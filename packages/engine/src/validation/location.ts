/** A location in the input; `undefined` is the input itself. */
export interface InputLocation {
  parent: InputLocation | undefined;
  key: string | number;
}

/** The location as a JavaScript expression: `input.labels[0].name`, `input["content-type"]`. */
export function locationName(location: InputLocation | undefined, root: string): string {
  const steps: string[] = [];
  for (let current = location; current; current = current.parent) steps.unshift(step(current.key));
  return `${root}${steps.join('')}`;
}

export function depthOf(location: InputLocation | undefined): number {
  let depth = 0;
  for (let current = location; current; current = current.parent) depth += 1;
  return depth;
}

function step(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  return /^[A-Za-z_$][\w$]{0,99}$/.test(key) ? `.${key}` : `[${excerpt(key)}]`;
}

/** JSON text of a value, short enough for a sentence. */
export function excerpt(value: unknown, longest = 60): string {
  const short = typeof value === 'string' ? value.slice(0, longest + 1) : value;
  const text = JSON.stringify(short) ?? 'undefined';
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
