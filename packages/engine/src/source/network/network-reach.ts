import type { SourceSettings } from '../../ports/source.ts';
import type { SourceProvenance, SourceRow } from '../../ports/source-store.ts';
import type { Initiator } from '../initiator.ts';
import type { ChangeRequest, SourceRequest } from '../source-request.ts';
import { isLoopback, meansPrivateNetwork } from './private-network.ts';

/**
 * # Which networks a source may reach
 *
 * Only this file decides. The decision is stored in the settings of the source, and `packages/sources` enforces it for every request.
 *
 * | reach     | the source may reach                                    | settings of the row         |
 * | --------- | ------------------------------------------------------- | --------------------------- |
 * | `public`  | the internet                                            | neither                     |
 * | `machine` | the internet and this machine                           | `allowThisMachine: true`    |
 * | `private` | the internet, this machine and its private networks     | `allowPrivateNetwork: true` |
 *
 * The first row that matches decides:
 *
 * | the user decided | typed URL or base URL       | document handed over by | its base URL   | reach     |
 * | ---------------- | --------------------------- | ----------------------- | -------------- | --------- |
 * | allow            | any                         | anyone or nobody        | any            | `private` |
 * | refuse           | any                         | anyone or nobody        | any            | `public`  |
 * | nothing          | this machine or private     | anyone or nobody        | any            | `private` |
 * | nothing          | a public base URL           | anyone or nobody        | any            | `public`  |
 * | nothing          | no base URL                 | user, configuration     | this machine   | `machine` |
 * | nothing          | no base URL                 | user, configuration     | any other      | `public`  |
 * | nothing          | no base URL                 | agent                   | any            | `public`  |
 * | nothing          | a public URL, no base URL   | nobody                  | any            | `public`  |
 *
 * - "Handed over" is a file or pasted text. A document that Executor fetched from a URL opens nothing: its owner is not the user.
 * - "Agent" is the code of a run, even though a reviewer approved the call: the reviewer has not seen the whole document.
 * - A host name counts as public, because its owner decides where it leads. `localhost` counts as this machine.
 * - A link-local address counts as public. Clouds serve the credentials of a machine there. Only `allow` opens it, and only the typed
 *   address itself (`packages/sources/src/http/reach.ts`).
 *
 * A change of the URL, the base URL, the document or the user's decision decides again; other changes keep the reach. If a document is
 * read again on behalf of an agent, `machine` can be kept or lost but never gained.
 */
export type NetworkReach = 'public' | 'machine' | 'private';

interface ReachCase {
  /** What the user decided: allow, refuse, or nothing. */
  decision: boolean | undefined;
  typedUrl: unknown;
  typedBaseUrl: unknown;
  /** Whether the user or the configuration handed the document over. */
  handedOver: boolean;
  documentBaseUrl: string | null | undefined;
}

function decideReach({
  decision,
  typedUrl,
  typedBaseUrl,
  handedOver,
  documentBaseUrl,
}: ReachCase): NetworkReach {
  if (decision !== undefined) return decision ? 'private' : 'public';
  if ([typedUrl, typedBaseUrl].some(isPrivateUrl)) return 'private';
  if (typedBaseUrl !== undefined || !handedOver) return 'public';
  return isLoopback(documentBaseUrl ?? undefined) ? 'machine' : 'public';
}

function isPrivateUrl(url: unknown): boolean {
  return typeof url === 'string' && meansPrivateNetwork(url);
}

/** Whether a source may reach private networks. The answer does not depend on its document, so it holds before the document is read. */
export function mayReachPrivateNetwork({
  allowPrivateNetwork: decision,
  url: typedUrl,
  baseUrl: typedBaseUrl,
}: Pick<SourceRequest, 'allowPrivateNetwork' | 'url' | 'baseUrl'>): boolean {
  const reach = decideReach({
    decision,
    typedUrl,
    typedBaseUrl,
    handedOver: false,
    documentBaseUrl: undefined,
  });
  return reach === 'private';
}

type ReachProvenance = Pick<SourceProvenance, 'privateNetwork' | 'handedOver'>;

/** The facts about a new source that later decisions need. */
export function reachProvenance(
  initiator: Initiator,
  { allowPrivateNetwork, document }: Pick<SourceRequest, 'allowPrivateNetwork' | 'document'>,
): ReachProvenance {
  return {
    ...(allowPrivateNetwork !== undefined && { privateNetwork: true }),
    ...(isHandedOver(initiator, document) && { handedOver: true }),
  };
}

/** The same facts after a change. Who handed over a new document is known only when it has been read (`reachAfterReading`). */
export function reachProvenanceAfter(
  { privateNetwork, handedOver }: ReachProvenance,
  { url, document, allowPrivateNetwork }: ChangeRequest,
): ReachProvenance {
  const isDecided = allowPrivateNetwork === undefined ? privateNetwork : allowPrivateNetwork !== null;
  const isSameDocument = url === undefined && document === undefined;
  return {
    ...(isDecided && { privateNetwork: true }),
    ...(handedOver && isSameDocument && { handedOver }),
  };
}

/** The settings of a source with the reach that follows from the table. */
export function settingsWithReach({
  provenance,
  settings,
  baseUrl,
}: Pick<SourceRow, 'provenance' | 'settings' | 'baseUrl'>): SourceSettings {
  const reach = reachOf({ provenance, settings, baseUrl });
  return {
    ...withoutThisMachine(settings),
    allowPrivateNetwork: reach === 'private',
    ...(reach === 'machine' && { allowThisMachine: true }),
  };
}

/** Whether a change can alter the reach. */
export function changesReach({ url, baseUrl, document, allowPrivateNetwork }: ChangeRequest): boolean {
  return [url, baseUrl, document, allowPrivateNetwork].some((value) => value !== undefined);
}

/** Settings and provenance of a source whose document was read again, and was perhaps handed over now. */
export function reachAfterReading(
  initiator: Initiator,
  row: Pick<SourceRow, 'provenance' | 'settings' | 'baseUrl'>,
  document: string | undefined,
): Pick<SourceRow, 'provenance' | 'settings'> {
  const hadThisMachine = row.settings.allowThisMachine === true;
  const handedOver = hadThisMachine || isHandedOver(initiator, document);
  const provenance: SourceProvenance = { ...row.provenance, ...(handedOver && { handedOver: true }) };
  const mayHaveThisMachine = hadThisMachine || !isAgent(initiator);
  const isMachine = mayHaveThisMachine && reachOf({ ...row, provenance }) === 'machine';
  // The document never decides whether private networks may be reached, so that setting is kept.
  const settings = { ...withoutThisMachine(row.settings), ...(isMachine && { allowThisMachine: true }) };
  return { provenance, settings };
}

function reachOf({
  provenance,
  settings,
  baseUrl,
}: Pick<SourceRow, 'provenance' | 'settings' | 'baseUrl'>): NetworkReach {
  return decideReach({
    decision: provenance.privateNetwork ? settings.allowPrivateNetwork === true : undefined,
    typedUrl: provenance.url ?? settings.url,
    typedBaseUrl: settings.baseUrl,
    handedOver: provenance.handedOver === true,
    documentBaseUrl: baseUrl,
  });
}

function withoutThisMachine({ allowThisMachine: _, ...settings }: SourceSettings): SourceSettings {
  return settings;
}

function isHandedOver(initiator: Initiator, document: string | undefined): boolean {
  return document !== undefined && !isAgent(initiator);
}

function isAgent({ executionId }: Initiator): boolean {
  return executionId !== undefined;
}
