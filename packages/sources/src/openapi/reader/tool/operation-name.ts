import { own, stringsOf } from '../../../document/json.ts';
import { camelCase, wordsOf } from '../../../text/words.ts';
import type { Operation } from '../operation/operations.ts';

/** Path segments without meaning, such as versions. */
const meaningless = /^(v?\d+([._]\d+)*([a-z]+\d*)?|api|rest|latest|services?)$/i;

/** The group of an operation: its first tag, else the first meaningful segment of its path. */
export function groupOf({ value, path }: Operation): string {
  const tag = stringsOf(own(value, 'tags'))
    .map((one) => camelCase(wordsOf(one)))
    .find((name) => name !== '');
  if (tag) return tag;
  const segment = segmentsOf(path).find(
    (one) => !isPlaceholder(one) && !meaningless.test(one) && wordsOf(one).length > 0,
  );
  return (segment && camelCase(wordsOf(segment))) || 'default';
}

/** Candidate names for an operation within its group, best first. There is at least one. */
export function* namesOf(operation: Operation): Generator<string> {
  const { method, path } = operation;
  const name = fromId(operation);
  if (name !== '') yield name;
  yield camelCase(pathWords(method, path, 'last'));
  yield camelCase(pathWords(method, path, 'all'));
}

function fromId({ operationId, method, path, value }: Operation): string {
  if (operationId === undefined || isGenerated(operationId)) return '';
  const id = withoutPath(operationId, method, path).replace(/^\w*Controller(Impl)?[_.:/#-]+(?=.)/, '');
  const [tag = ''] = stringsOf(own(value, 'tags'));
  return camelCase(withoutPrefix(wordsOf(id), wordsOf(tag || groupOf({ path, value } as Operation))));
}

/** Whether an operation id is a number or a hash. */
function isGenerated(id: string): boolean {
  return !/\p{L}/u.test(id) || /^[\da-f]{8,}(-[\da-f]{4,})*$/i.test(id) || /^[\da-f-]{32,}$/i.test(id);
}

/** FastAPI appends path and method to the function name: `read_items_items__id__get`. */
function withoutPath(id: string, method: string, path: string): string {
  const suffix = `${path.replace(/\W/g, '_')}_${method.toLowerCase()}`;
  return id.endsWith(suffix) && id.length > suffix.length ? id.slice(0, -suffix.length) : id;
}

/** `Pets_listPets` with the tag `pets` is `listPets`: the path already contains the tag. */
function withoutPrefix(words: string[], prefix: string[]): string[] {
  const isSame =
    prefix.length > 0 &&
    words.length > prefix.length &&
    prefix.every((word, index) => stem(word) === stem(words[index] ?? ''));
  return isSame ? words.slice(prefix.length) : words;
}

function stem(word: string): string {
  return word.toLowerCase().replace(/(?<=..)s$/, '');
}

/** `GET /users/{id}/posts` is `getUsersPosts`, `GET /users/{id}` is `getUsersById`. */
function pathWords(method: string, path: string, placeholders: 'last' | 'all'): string[] {
  const segments = segmentsOf(path).filter((segment) => !meaningless.test(segment));
  const words = segments.flatMap((segment, index) => {
    if (!isPlaceholder(segment)) return wordsOf(segment.replace(/\{[^{}]*\}/g, ' '));
    const isNamed = placeholders === 'all' || index === segments.length - 1;
    return isNamed ? ['by', ...wordsOf(segment)] : [];
  });
  return [method.toLowerCase(), ...words];
}

function segmentsOf(path: string): string[] {
  return path.split(/[/?#&]/).filter((segment) => segment !== '');
}

function isPlaceholder(segment: string): boolean {
  return /^[^\p{L}{]*\{[^{}]*\}[^\p{L}]*$/u.test(segment);
}
