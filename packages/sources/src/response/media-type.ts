/** The media type of a response. */
export interface MediaType {
  /** Lower case; empty if missing. */
  type: string;
  parameters: Map<string, string>;
}

export type BodyKind = 'json' | 'lines' | 'events' | 'text' | 'binary' | 'unknown';

export function parseMediaType(header: string | string[] | undefined): MediaType {
  const [type = '', ...parts] = String(Array.isArray(header) ? header[0] : (header ?? '')).split(';');
  const parameters = new Map<string, string>();
  for (const part of parts) {
    const [name = '', value = ''] = part.split('=');
    parameters.set(name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/, '$1'));
  }
  return { type: type.trim().toLowerCase(), parameters };
}

/** How a response of a media type is read. */
export function kindOf({ type, parameters }: MediaType): BodyKind {
  if (type === '') return 'unknown';
  if (type === 'text/event-stream') return 'events';
  if (isJsonSequence(type)) return 'lines';
  // Kubernetes watch streams.
  if (parameters.get('stream') === 'watch') return 'lines';
  if (/^(application|text)\/json$|\+json$|^application\/x-json$/.test(type)) return 'json';
  if (type.startsWith('text/') || textual.test(type)) return 'text';
  return 'binary';
}

/** Whether a media type is a sequence of JSON texts. It must be lower case, without parameters. */
export function isJsonSequence(type: string): boolean {
  return /^application\/(x-)?(ndjson|jsonl|jsonlines|json-lines|json-seq|stream\+json|json-stream)$/.test(
    type,
  );
}

const textual =
  /\+(xml|yaml|text)$|^application\/(xml|xml-dtd|yaml|x-yaml|javascript|ecmascript|x-javascript|graphql|sql|toml|x-toml|x-sh|x-www-form-urlencoded|csv|x-tex|x-latex)$|^message\/|^image\/svg/;
