import type { Source } from '@executor/engine';
import { GoogleSettings } from '@executor/protocol';
import { createDocumentSource, type OpenApiSourceOptions } from '../openapi/openapi-source.ts';
import { findDocument } from './find-document.ts';

/** The source kind `google`: APIs of Google, described by Discovery documents. */
export function createGoogleSource(options: OpenApiSourceOptions): Source {
  return createDocumentSource(options, {
    kind: 'google',
    settings: GoogleSettings,
    detect: (url, detectOptions) => findDocument(options.http, url, detectOptions),
  });
}
