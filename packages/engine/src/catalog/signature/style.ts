/** The amount of detail in a signature. */
export interface Style {
  /** Leaves out levels that the caller asked for. */
  isCut?: true;
  /** Levels of objects that are spelt out. */
  depth: { input: number; output: number };
  /** Maximum length of the comment on a field. */
  comment: { required: number; optional: number; output: number };
  /** Values of an enumeration that are listed. */
  values: number;
  /** Fields of an object that are listed: required and optional ones of an input, and those of a result. */
  fields: { required: number; optional: number; output: number };
}

/** The styles from the most detailed to the shortest. They drop details of the result before details of the input. */
export function stylesFor(depth: number | undefined): Style[] {
  return depth === undefined ? usualStyles : createStyles(depth);
}

function createStyles(depth: number | undefined): Style[] {
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
  const shallow: Style = { ...plain, isCut: true, depth: { input: deep, output: atMost(1) } };
  const few = { ...shallow, values: 12, fields: { required: 60, optional: 60, output: 16 } };
  const fewer = { ...few, ...input(60, 48), fields: { required: 60, optional: 60, output: 10 } };
  const short = { ...fewer, ...input(40, 30) };
  const flat = { ...short, depth: { input: atMost(1), output: atMost(1) } };
  const bare = { ...flat, ...input(40, 0), values: 8, fields: { required: 40, optional: 40, output: 6 } };
  const names = { ...bare, ...input(0, 0), values: 4, fields: { required: 20, optional: 10, output: 0 } };
  const minimal = {
    ...names,
    depth: { input: atMost(1), output: 0 },
    values: 0,
    fields: { required: 4, optional: 2, output: 0 },
  };
  const styles = [usual, plain, shallow, few, fewer, short, flat, bare, names, minimal];
  if (depth !== undefined) return [full, ...styles];
  // Nobody asked for certain levels, so none of them are missing.
  return styles.map(({ isCut: _, ...style }) => style);
}

const usualStyles = createStyles(undefined);
