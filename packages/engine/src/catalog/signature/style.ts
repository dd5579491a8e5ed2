/** How much of a tool a signature tells. */
export interface Style {
  /** How many levels of objects are spelt out. */
  depth: { input: number; output: number };
  /** How long the comment on a field may be. */
  comment: { required: number; optional: number; output: number };
  /** How many values of an enumeration are named. */
  values: number;
  /** How many fields of an object are: those that are required, the other ones, those of an answer. */
  fields: { required: number; optional: number; output: number };
}

/** One after the other, each shorter than the one before: the first that fits is used. What a call takes is told longer than what it answers. */
export function stylesFor(depth: number | undefined): Style[] {
  const deep = depth ?? 2;
  const atMost = (levels: number) => Math.min(deep, levels);
  const input = (required: number, optional: number) => ({ comment: { required, optional, output: 0 } });
  const full: Style = {
    depth: { input: deep, output: deep },
    comment: { required: 100, optional: 100, output: 100 },
    values: 200,
    fields: { required: 500, optional: 500, output: 500 },
  };
  const usual = { ...full, comment: { required: 80, optional: 80, output: 60 }, values: 24 };
  const plain = { ...usual, ...input(80, 80) };
  const shallow = { ...plain, depth: { input: deep, output: atMost(1) } };
  const few = { ...shallow, values: 12, fields: { required: 60, optional: 60, output: 16 } };
  const fewer = { ...few, ...input(60, 48), fields: { required: 60, optional: 60, output: 10 } };
  const short = { ...fewer, ...input(40, 30) };
  const flat = { ...short, depth: { input: atMost(1), output: atMost(1) } };
  const bare = { ...flat, ...input(40, 0), values: 8, fields: { required: 40, optional: 40, output: 6 } };
  const names = { ...bare, ...input(0, 0), values: 4, fields: { required: 20, optional: 10, output: 0 } };
  const least = {
    ...names,
    depth: { input: atMost(1), output: 0 },
    values: 0,
    fields: { required: 4, optional: 2, output: 0 },
  };
  const styles = [usual, plain, shallow, few, fewer, short, flat, bare, names, least];
  return depth === undefined ? styles : [full, ...styles];
}
