import { own } from '../../../document/json.ts';
import type { Located } from '../../../document/json-pointer.ts';
import type { BodyPlan } from '../../operation.ts';
import type { Api } from '../operation/api.ts';
import { essence, isStructured, type MediaKind, mediaKind } from '../operation/media-types.ts';

/** The body of an operation in the chosen media type. */
export interface DeclaredBody {
  kind: BodyPlan['kind'];
  mediaType: string;
  required: boolean;
  description?: string;
  schema?: Located;
  /** How each property is written. */
  encoding?: Located;
  /** The multipart form, if JSON is sent unless there are files. */
  multipart?: BodyChoice;
}

/** One media type of a body. */
export interface BodyChoice {
  mediaType: string;
  schema?: Located;
  encoding?: Located;
}

const ranks: (MediaKind | undefined)[] = ['json', undefined, 'form', 'multipart', 'text', 'stream', 'binary'];

/** Order: JSON, forms, text, bytes; within a kind, the simpler media type. */
export function bestChoice(choices: BodyChoice[], api: Api): Omit<DeclaredBody, 'required'> | undefined {
  const kinds = choices.map((choice) => ({ choice, kind: mediaKind(choice.mediaType) }));
  const rank = ({ choice, kind }: (typeof kinds)[number]) =>
    (kind === undefined && !isStructured(choice.schema, api.references)
      ? ranks.length
      : ranks.indexOf(kind)) *
      3 +
    (kind === 'json' ? jsonRank(choice, api) : 0);
  const [best] = kinds.toSorted((a, b) => rank(a) - rank(b));
  if (best === undefined) return undefined;
  const kind = best.kind ?? (isStructured(best.choice.schema, api.references) ? 'json' : 'binary');
  const multipart = kind === 'json' ? kinds.find((one) => one.kind === 'multipart')?.choice : undefined;
  return {
    ...best.choice,
    ...(multipart && {
      multipart: { ...multipart, mediaType: concreteType(multipart.mediaType, 'multipart') },
    }),
    mediaType: concreteType(best.choice.mediaType, kind),
    kind: kind === 'stream' ? 'text' : kind,
  };
}

/** Plain JSON is best. JSON Patch describes changes and not the object, so it is last unless the schema is a list. */
function jsonRank({ mediaType, schema }: BodyChoice, { references }: Api): number {
  const type = essence(mediaType);
  if (type === 'application/json') return 0;
  const isList = own(schema && references.follow(schema)?.value, 'type') === 'array';
  return type === 'application/json-patch+json' && !isList ? 2 : 1;
}

/** A media type pattern cannot be sent, so it is replaced. */
function concreteType(mediaType: string, kind: MediaKind): string {
  if (!mediaType.includes('*') && mediaType.includes('/')) return mediaType;
  if (kind === 'json') return 'application/json';
  if (kind === 'multipart') return 'multipart/form-data';
  return kind === 'text' ? 'text/plain' : 'application/octet-stream';
}
