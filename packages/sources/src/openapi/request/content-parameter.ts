import { jsonText } from './integer-text.ts';
import { textOf } from './shape.ts';

/** Writes a parameter that has a media type instead of a style. */
export function contentText(mediaType: string, value: unknown): string {
  return isJson(mediaType) ? jsonText(value) : textOf(value);
}

/** The first media type that can be sent; a pattern such as `image∕*` cannot. */
export function firstType(mediaTypes: string | undefined): string | undefined {
  return mediaTypes
    ?.split(',')
    .map((type) => type.trim())
    .find((type) => type !== '' && !type.includes('*'));
}

export function isJson(mediaType: string): boolean {
  return (
    /^(application|text)\/([\w.-]+\+)?json($|\s*;)/i.test(mediaType) || /\+json($|\s*;)/i.test(mediaType)
  );
}
