/** Whether a media type is of JSON texts one after the other. In small letters, without parameters. */
export function isLines(type: string): boolean {
  return /^application\/(x-)?(ndjson|jsonl|jsonlines|json-lines|json-seq|stream\+json|json-stream)$/.test(
    type,
  );
}
