import { textOf } from './shape.ts';

/** A parameter whose value is written in a media type. */
export function contentText(mediaType: string, value: unknown): string {
  return isJson(mediaType) ? JSON.stringify(value) : textOf(value);
}

export function isJson(mediaType: string): boolean {
  return (
    /^(application|text)\/([\w.-]+\+)?json($|\s*;)/i.test(mediaType) || /\+json($|\s*;)/i.test(mediaType)
  );
}
