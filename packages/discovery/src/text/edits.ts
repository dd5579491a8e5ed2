/**
 * The number of letters to change, add, remove or swap to turn one word into the other; undefined if it exceeds `max`.
 */
export function editDistance(one: string, other: string, max: number): number | undefined {
  if (Math.abs(one.length - other.length) > max) return undefined;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const now = [row];
    let rowMin = row;
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1];
      let edits = Math.min(
        (last[column] as number) + 1,
        (now[column - 1] as number) + 1,
        (last[column - 1] as number) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        edits = Math.min(edits, (beforeLast[column - 2] as number) + 1);
      now.push(edits);
      rowMin = Math.min(rowMin, edits);
    }
    if (rowMin > max) return undefined;
    beforeLast = last;
    last = now;
  }
  const edits = last[other.length] as number;
  return edits > max ? undefined : edits;
}
