/** Whether a media type is a sequence of JSON texts. It must be lower case, without parameters. */
export function isLines(type: string): boolean {
  return /^application\/(x-)?(ndjson|jsonl|jsonlines|json-lines|json-seq|stream\+json|json-stream)$/.test(
    type,
  );
}
