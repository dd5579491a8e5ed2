import { isObject, own } from '../../../document/json.ts';
import type { Located } from '../../../document/json-pointer.ts';
import { isJsonSequence } from '../../../response/media-type.ts';
import type { References } from '../document/references.ts';
import { readType } from '../schema/types.ts';

export type MediaKind = 'json' | 'stream' | 'form' | 'multipart' | 'text' | 'binary';

/** The kind of content of a media type; undefined for a pattern such as `*∕*`. */
export function mediaKind(mediaType: string): MediaKind | undefined {
  const type = essence(mediaType);
  if (isJsonSequence(type) || type === 'text/event-stream') return 'stream';
  if (/^(json|(application|text)\/(.*[+.-])?json)$/.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type.startsWith('multipart/')) return 'multipart';
  if (type.includes('*') && type !== 'text/*') return undefined;
  if (type.startsWith('text/') || textTypes.test(type)) return 'text';
  return 'binary';
}

/** Without parameters such as `charset`. */
export function essence(mediaType: string): string {
  return (mediaType.slice(0, 200).split(';')[0] ?? '').trim().toLowerCase();
}

const textTypes =
  /^application\/(.*\+)?(xml|yaml|x-yaml|graphql|javascript|ecmascript|x-javascript|sql|csv|xhtml|toml|jwt|jose|sdp|wsdl|soap|pgp-keys|x-pem-file)(\+xml)?$/;

/** Whether a schema is an object or an array, which means JSON by default. */
export function isStructured(schema: Located | undefined, references: References): boolean {
  const target = schema && references.follow(schema);
  if (!target || !isObject(target.value)) return false;
  const types = own(target.value, 'type') === undefined ? undefined : readType(target.value.type).types;
  if (types) return types.includes('object') || types.includes('array');
  return ['properties', 'items', 'allOf', 'anyOf', 'oneOf', 'additionalProperties'].some(
    (key) => own(target.value, key) !== undefined,
  );
}
