import type { OperationPlan } from '../operation.ts';
import { fileBody, type RequestBody } from './body.ts';
import { toFilePart } from './file-input.ts';
import { jsonText } from './integer-text.ts';

export interface SentBody {
  path: string;
  body?: RequestBody | undefined;
}

/** The path and the body of a call: those of an upload if the input has a file, else those of the operation. */
export function uploadRequest(
  { path, upload, body: plan }: OperationPlan,
  fields: Record<string, unknown>,
  body: RequestBody | undefined,
): SentBody {
  const file = upload && Object.hasOwn(fields, upload.field) ? fields[upload.field] : undefined;
  if (upload === undefined || file === undefined) return { path, body };
  const { field, mediaType } = upload;
  if (!upload.multipart)
    return { path: `${upload.path}?uploadType=media`, body: fileBody(file, mediaType, field) };
  const text = jsonText(body?.type === 'json' ? body.value : {});
  return {
    path: `${upload.path}?uploadType=multipart`,
    body: {
      type: 'multipart',
      mediaType: 'multipart/related',
      // Google takes the first part for the body and the second one for the file.
      parts: [
        {
          name: plan?.from.type === 'field' ? plan.from.field : 'body',
          isUnnamed: true,
          headers: {},
          mediaType: 'application/json; charset=UTF-8',
          content: { text },
        },
        { name: field, isUnnamed: true, headers: {}, mediaType, content: { file: toFilePart(file, field) } },
      ],
    },
  };
}
