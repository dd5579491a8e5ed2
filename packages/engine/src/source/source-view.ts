import type { Source, SourceAuth } from '@executor/protocol';
import { certificateOf, certificateView } from '../auth/client-certificate.ts';
import type { KeptDocument, SourceRow } from '../ports/source-store.ts';
import { urlWithoutValues, withoutValues } from './url-secrets.ts';

const maxWarnings = 100;

/** A source for agents and lists. It shows the kind of credentials but no values, neither of credentials nor of query parameters in URLs. */
export function sourceView(row: SourceRow): Source {
  const { url, baseUrl, settings, warnings, ...view } = fullView(row);
  const chosen = settings.baseUrl;
  return {
    ...view,
    ...(url !== undefined && { url: withoutValues(url) }),
    ...(baseUrl !== undefined && { baseUrl: urlWithoutValues(baseUrl) }),
    settings: {
      ...settings,
      ...(url !== undefined && { url: withoutValues(url) }),
      ...(typeof chosen === 'string' && { baseUrl: urlWithoutValues(chosen) }),
    },
    warnings: warnings.map(({ place, message }) => ({
      place: withoutValues(place),
      message: withoutValues(message),
    })),
  };
}

function fullView(row: SourceRow): Source {
  const { url, baseUrl } = row.settings;
  const callBaseUrl = baseUrl ?? row.baseUrl;
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    kind: row.kind,
    namespace: row.namespace,
    name: row.name,
    ...(row.title !== null && { title: row.title }),
    ...(row.description !== null && { description: row.description }),
    ...(url !== undefined && { url }),
    ...(callBaseUrl !== null && { baseUrl: callBaseUrl }),
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

/** One source for people: with complete URLs, which may contain a key, and with the files of its document, which may be a thousand. */
export function sourceViewForPeople(row: SourceRow): Source {
  const view = fullView(row);
  const files = row.document?.files?.map(({ pieces: _, ...file }) => file);
  return view.document && files ? { ...view, document: { ...view.document, files } } : view;
}

function documentView({ files: _, ...document }: KeptDocument): NonNullable<Source['document']> {
  return document;
}

function authView(auth: SourceAuth): Source['auth'] {
  const { certificate } = certificateOf(auth);
  const shown = certificate && { certificate: certificateView(certificate) };
  if (auth.type !== 'schemes') return { type: auth.type, ...shown };
  const unnamed = (['headers', 'query', 'cookies'] as const).flatMap((part) => {
    const names = Object.keys(auth[part] ?? {});
    return names.length > 0 ? [[part, names] as const] : [];
  });
  return { type: auth.type, schemes: Object.keys(auth.schemes), ...Object.fromEntries(unnamed), ...shown };
}
