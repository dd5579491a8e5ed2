import type { Source, SourceAuth } from '@executor/protocol';
import { certificateOf, certificateView } from '../auth/client-certificate.ts';
import type { KeptDocument, SourceRow } from '../ports/source-store.ts';

const maxWarnings = 100;

/** A source as the world may see it: nothing of its credentials but how they are shown, and no values that an address may have in it. */
export function sourceView(row: SourceRow): Source {
  const { url, settings, warnings, ...view } = wholeView(row);
  return {
    ...view,
    ...(url !== undefined && { url: withoutValues(url) }),
    settings: url === undefined ? settings : { ...settings, url: withoutValues(url) },
    warnings: warnings.map(({ place, message }) => ({
      place: withoutValues(place),
      message: withoutValues(message),
    })),
  };
}

function wholeView(row: SourceRow): Source {
  const { url, baseUrl } = row.settings as { url?: string; baseUrl?: string };
  const goesTo = baseUrl ?? row.baseUrl;
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    kind: row.kind,
    namespace: row.namespace,
    name: row.name,
    ...(row.title !== null && { title: row.title }),
    ...(url !== undefined && { url }),
    ...(goesTo !== null && { baseUrl: goesTo }),
    origins: row.origins,
    auth: authView(row.auth),
    security: row.security.map((scheme) => ({ ...scheme })),
    approval: row.approval,
    settings: row.settings,
    toolCount: row.toolCount,
    unseenCount: row.unseen.length,
    suggestionCount: row.suggestionCount,
    warnings: row.warnings.slice(0, maxWarnings),
    warningCount: row.warnings.length,
    ...(row.document && { document: documentView(row.document) }),
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    loadedAt: row.loadedAt.toISOString(),
  };
}

/**
 * For people, and one source at a time: addresses as they are, which may have a key in them, and the files that its document is made of,
 * which may be a thousand.
 */
export function sourceViewForPeople(row: SourceRow): Source {
  const view = wholeView(row);
  const files = row.document?.files?.map(({ pieces: _, ...file }) => file);
  return view.document && files ? { ...view, document: { ...view.document, files } } : view;
}

/** `?sig=…`, and nobody before the `@`. */
function withoutValues(text: string): string {
  return text.replace(/([?&][^=&\s"'#]{1,100}=)[^&\s"'#]+/g, '$1…').replace(/(:\/\/)[^/?#\s"'@]*@/g, '$1');
}

function documentView({ files: _, ...document }: KeptDocument): NonNullable<Source['document']> {
  return document;
}

function authView(auth: SourceAuth): Source['auth'] {
  const { certificate } = certificateOf(auth);
  const shown = certificate && { certificate: certificateView(certificate) };
  if (auth.type !== 'schemes') return { type: auth.type, ...shown };
  const beside = (['headers', 'query', 'cookies'] as const).flatMap((place) => {
    const names = Object.keys(auth[place] ?? {});
    return names.length > 0 ? [[place, names] as const] : [];
  });
  return { type: auth.type, schemes: Object.keys(auth.schemes), ...Object.fromEntries(beside), ...shown };
}
