import { RequestError } from '../../../call/request-error.ts';

/** Types from which servers read fields: forms, multipart and JSON. Lenient servers look for these words anywhere in the header. */
const fieldTypes = /urlencoded|multipart|[/+.-]json/i;

/**
 * Refuses to send a file as a body that has fields, unless the document declares that type. Neither rules nor a reviewer have read the
 * fields of a file. `origin` names what set the type.
 */
export function checkFileType(
  mediaType: string,
  { declared, origin }: { declared: string; origin: string },
): string {
  if (!fieldTypes.test(mediaType) || mediaType.toLowerCase() === declared.toLowerCase()) return mediaType;
  throw new RequestError(
    `${origin} is ${mediaType}. Many servers read parameters from such a body, which nobody has checked. Set mediaType to ${declared}.`,
  );
}
