import { newId, type SourceRow } from '@executor/engine';
import { at } from './fixture.ts';

/** A new source. */
export function sourceOf(
  workspaceId: string,
  namespace: string,
  changes: Partial<SourceRow> = {},
): SourceRow {
  return {
    id: newId('src', at),
    workspaceId,
    namespace,
    kind: 'openapi',
    name: namespace,
    settings: {},
    auth: { type: 'none' },
    authId: newId('ath', at),
    approval: {},
    edits: {},
    unseen: [],
    title: null,
    description: null,
    baseUrl: null,
    security: [],
    warnings: [],
    toolCount: 1,
    origins: [],
    provenance: {},
    suggestionCount: 0,
    document: null,
    contentId: newId('con', at),
    revision: 1,
    createdBy: 'act_1',
    createdAt: at,
    updatedAt: at,
    loadedAt: at,
    ...changes,
  };
}
