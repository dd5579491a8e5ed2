/** How many letters must be changed, added, left out or swapped to make one of the other, if no more than `most`. */
export function withinEdits(one: string, other: string, most: number): number | undefined {
  if (Math.abs(one.length - other.length) > most) return undefined;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (let row = 1; row <= one.length; row++) {
    const now = [row];
    let least = row;
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
      least = Math.min(least, edits);
    }
    if (least > most) return undefined;
    beforeLast = last;
    last = now;
  }
  const edits = last[other.length] as number;
  return edits > most ? undefined : edits;
}
