import { isObject, listOf, own, textOf } from '../../../document/json.ts';
import type { Located } from '../../../document/json-pointer.ts';
import type { ParameterStyle, PartPlan } from '../../operation.ts';
import type { References } from '../document/references.ts';
import type { Api } from '../operation/api.ts';
import { essence, mediaKind } from '../operation/media-types.ts';
import { isNullable } from '../schema/nullable.ts';
import type { DeclaredBody } from './body-choice.ts';

const styles: ParameterStyle[] = ['form', 'spaceDelimited', 'pipeDelimited', 'tabDelimited', 'deepObject'];

/** How a property of a form or multipart body is written; undefined for the default. */
export function planPart(
  name: string,
  schema: Located | undefined,
  body: DeclaredBody,
  api: Api,
): PartPlan | undefined {
  const encoding = own(body.encoding?.value, name);
  const contentType = contentTypeOf(encoding);
  const file = body.kind === 'multipart' && isFile(schema, contentType?.split(',')[0], api);
  const style = styles.find((known) => known === own(encoding, 'style'));
  const explode = own(encoding, 'explode');
  const headers = headersOf(encoding, body.encoding, api);
  const part: PartPlan = {
    ...(contentType !== undefined && { contentType }),
    ...(style && { style }),
    ...(typeof explode === 'boolean' && { explode }),
    ...(own(encoding, 'allowReserved') === true && { allowReserved: true }),
    ...(file && { file }),
    ...(headers && { headers }),
  };
  return Object.keys(part).length > 0 ? part : undefined;
}

/** The allowed media types of a part. If there are several, the file names its own. */
function contentTypeOf(encoding: unknown): string | undefined {
  return textOf(own(encoding, 'contentType'))?.trim().slice(0, 1_000) || undefined;
}

/** Whether the value is a file or a list of files. */
function isFile(
  schema: Located | undefined,
  contentType: string | undefined,
  { references }: Pick<Api, 'references'>,
  depth = 0,
): boolean {
  const target = schema && withoutNull(schema, references);
  if (!target || !isObject(target.value) || depth > 4) return false;
  const { value, pointer } = target;
  const isFileAt = (key: string) =>
    isFile({ value: own(value, key), pointer: pointer.at(key) }, contentType, { references }, depth + 1);
  if (own(value, 'type') === 'array' || own(value, 'items') !== undefined) return isFileAt('items');
  const all = own(value, 'allOf');
  if (Array.isArray(all) && all.length === 1)
    return isFile(
      { value: all[0], pointer: pointer.at('allOf').at(0) },
      contentType,
      { references },
      depth + 1,
    );
  if (own(value, 'type') === 'file' || own(value, 'format') === 'binary') return true;
  if (own(value, 'contentEncoding') !== undefined) return false;
  if (mediaTypeIsBinary(textOf(own(value, 'contentMediaType')))) return true;
  // An empty schema is a file if the part has a binary media type.
  return (
    own(value, 'type') === undefined && Object.keys(value).length === 0 && mediaTypeIsBinary(contentType)
  );
}

/** A schema without its null alternative: FastAPI writes an optional file as `anyOf: [file, null]`. */
export function withoutNull(schema: Located, references: References): Located | undefined {
  let target = references.follow(schema);
  for (let hops = 0; hops < 5; hops++) {
    const other = target && onlyNonNull(target);
    if (other === undefined) return target;
    target = references.follow(other);
  }
  return target;
}

/** Whether null is allowed instead of the file. It means the same as omitting the file. */
export function mayBeNull(schema: Located, references: References): boolean {
  const value = references.follow(schema)?.value;
  if (!isObject(value)) return false;
  const alternatives = [...listOf(own(value, 'anyOf')), ...listOf(own(value, 'oneOf'))];
  return (
    isNullable(value) ||
    listOf(own(value, 'type')).includes('null') ||
    alternatives.some((one) => own(one, 'type') === 'null')
  );
}

function onlyNonNull({ value, pointer }: Located): Located | undefined {
  for (const key of ['anyOf', 'oneOf']) {
    const choices = listOf(own(value, key));
    const others = choices.filter((choice) => own(choice, 'type') !== 'null');
    if (others.length === 1 && others.length < choices.length)
      return { value: others[0], pointer: pointer.at(key).at(choices.indexOf(others[0])) };
  }
  return undefined;
}

function mediaTypeIsBinary(mediaType: string | undefined): boolean {
  return (
    mediaType !== undefined &&
    essence(mediaType).includes('/') &&
    (mediaKind(mediaType) ?? 'binary') === 'binary'
  );
}

/** Headers of a part with a fixed value in the document. */
function headersOf(
  encoding: unknown,
  within: Located | undefined,
  { references }: Api,
): Record<string, string> | undefined {
  const declared = own(encoding, 'headers');
  if (!isObject(declared) || within === undefined) return undefined;
  const headers = Object.entries(declared).flatMap(([name, value]) => {
    const schema = own(references.follow({ value, pointer: within.pointer.at(name) })?.value, 'schema');
    const fixed = own(schema, 'default') ?? own(schema, 'const') ?? single(own(schema, 'enum'));
    return typeof fixed === 'string' && name.toLowerCase() !== 'content-type' ? [[name, fixed]] : [];
  });
  return headers.length > 0 ? Object.fromEntries(headers) : undefined;
}

function single(values: unknown): unknown {
  return Array.isArray(values) && values.length === 1 ? values[0] : undefined;
}
