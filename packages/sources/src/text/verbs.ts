/** Verbs in the names of operations that say what a call does. */
export const destroyVerbs = words('delete remove destroy purge wipe erase drop terminate revoke uninstall');
const bulkWords = words('batch bulk mass multi force hard soft');
const undoWords = words('undo undelete restore cancel un');
export const writeVerbs = words(
  'create update add set send insert put post patch save upload submit enable disable activate deactivate reset restart cancel start stop',
);
export const readVerbs = words(
  'search query find list export lookup filter count get fetch read retrieve preview validate calculate estimate check compare',
);

function words(text: string): Set<string> {
  return new Set(text.split(' '));
}

/** Whether a name in lower case says that something is destroyed, and not undone: `deleteUsers`, `usersDelete`, `bulkDeleteUsers`. */
export function namesDestruction(name: string[]): boolean {
  const verb = bulkWords.has(name[0] ?? '') ? name[1] : name[0];
  const isNamed = [verb, name.at(-1)].some((word) => destroyVerbs.has(word ?? ''));
  return isNamed && !name.some((word) => undoWords.has(word));
}
