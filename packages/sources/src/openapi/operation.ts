/**
 * How an operation is sent: what of the input goes where. Made once, when the document is read; plain JSON. It is the `plan` of the
 * operation's tool.
 */
export interface OperationPlan {
  method: string;
  /** With its placeholders: `/repos/{owner}/{repo}`. */
  path: string;
  /** Where it is, the first that is usable first; of the operation, else of its path, else of the document. Absolute already. */
  servers: ServerPlan[];
  parameters: ParameterPlan[];
  body?: BodyPlan;
  /** The media types of its answers, the best first. */
  accept: string[];
  /** The header in which the document asks for an idempotency key. */
  idempotencyHeader?: string;
}

export interface ServerPlan {
  /** May have placeholders: `https://{region}.example.com/v1`. */
  url: string;
  variables?: Record<string, { default: string; enum?: string[] }>;
}

export interface ParameterPlan {
  /** The field of the input; its own name unless another parameter has that. */
  field: string;
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  style: ParameterStyle;
  explode: boolean;
  allowReserved?: true;
  /** Where the value is written in a media type instead of a style: `application/json`. */
  content?: string;
}

/** Those of OpenAPI, and `tabDelimited` for Swagger's `tsv`. */
export type ParameterStyle =
  | 'simple'
  | 'label'
  | 'matrix'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'tabDelimited'
  | 'deepObject';

export interface BodyPlan {
  required: boolean;
  mediaType: string;
  kind: 'json' | 'form' | 'multipart' | 'text' | 'binary';
  /** Which part of the input it is. */
  from:
    | { type: 'field'; field: string }
    /** An object whose properties are fields of the input; by field, the name of the property. */
    | { type: 'fields'; fields: Record<string, string>; rest?: true };
  /** Of a form or of multipart, by property: how it is written. */
  parts?: Record<string, PartPlan>;
  /** How it is sent when the input has files, where JSON is not all that the operation takes. */
  files?: FilesPlan;
}

/** A body of JSON as multipart. */
export interface FilesPlan {
  mediaType: string;
  /** By field, the name of the part. */
  fields: Record<string, string>;
  parts: Record<string, PartPlan>;
  /** The fields that JSON does not have: one of them is enough. */
  only: string[];
  /** Those that are something else in JSON: what is a file by its form is enough. */
  either: string[];
}

export interface PartPlan {
  contentType?: string;
  style?: ParameterStyle;
  explode?: boolean;
  allowReserved?: true;
  /** Its value is a file, or a list of files. */
  file?: true;
  headers?: Record<string, string>;
}

/** What a file is in an input: text as it is, or one of these. */
export type FileInput =
  | string
  | { text: string; name?: string; mediaType?: string }
  | { base64: string; name?: string; mediaType?: string }
  | { artifact: string; name?: string; mediaType?: string };
