/**
 * How an operation is sent: the part of the request that each input field is sent in. It is plain JSON, made once when the document is
 * read, and is the `plan` of the operation's tool.
 */
export interface OperationPlan {
  method: string;
  /** Includes placeholders: `/repos/{owner}/{repo}`. */
  path: string;
  /** Absolute server URLs, best first: of the operation, else of its path, else of the document. */
  servers: ServerPlan[];
  parameters: ParameterPlan[];
  body?: BodyPlan;
  /** How the call is sent if the input has a file beside the body. */
  upload?: UploadPlan;
  /** The pair in the query with which the response is a file, whatever its media type. */
  download?: { name: string; value: string };
  /** The media types of its responses, best first. */
  accept: string[];
  /** The header in which the document asks for an idempotency key. */
  idempotencyHeader?: string;
}

export interface ServerPlan {
  /** May contain placeholders: `https://{region}.example.com/v1`. */
  url: string;
  variables?: Record<string, { default: string; enum?: string[] }>;
}

export interface ParameterPlan {
  /** The input field: the parameter's name, unless another parameter has that name. */
  field: string;
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  style: ParameterStyle;
  explode: boolean;
  allowReserved?: true;
  /** Whether slashes in the value separate segments of the path. */
  segments?: true;
  /** The media type of the value, if the parameter has one instead of a style: `application/json`. */
  content?: string;
}

/** OpenAPI's styles, and `tabDelimited` for Swagger's `tsv`. */
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
  /** The part of the input that makes the body. */
  from:
    | { type: 'field'; field: string }
    /** An object whose properties are input fields. Maps each field to its property; `rest` adds all other fields. */
    | { type: 'fields'; fields: Record<string, string>; rest?: true };
  /** How each property of a form or multipart body is written. */
  parts?: Record<string, PartPlan>;
  /** How the body is sent if the input has files and the operation accepts more than JSON. */
  files?: FilesPlan;
}

/** A file that is sent to a path of its own: with the body as `multipart/related`, or alone. */
export interface UploadPlan {
  field: string;
  path: string;
  /** Of a file that does not name its own. */
  mediaType: string;
  multipart: boolean;
}

/** A JSON body written as multipart. */
export interface FilesPlan {
  mediaType: string;
  /** Maps each field to its part. */
  fields: Record<string, string>;
  parts: Record<string, PartPlan>;
  /** Fields that the JSON body does not have. If one is present, the body is multipart. */
  only: string[];
  /** Fields with another type in the JSON body. If one is a file object, the body is multipart. */
  either: string[];
}

export interface PartPlan {
  contentType?: string;
  style?: ParameterStyle;
  explode?: boolean;
  allowReserved?: true;
  /** Whether the value is a file or a list of files. */
  file?: true;
  headers?: Record<string, string>;
}

/** A file in an input: plain text, or one of these objects. */
export type FileInput =
  | string
  | { text: string; name?: string; mediaType?: string }
  | { base64: string; name?: string; mediaType?: string }
  | { artifact: string; name?: string; mediaType?: string };
