import { type DetectedSource, ExecutorError } from '@executor/protocol';
import type { Catalog } from '../../catalog/catalog.ts';
import type { AccessProbe, ProbedAccess } from '../../ports/access-probe.ts';
import type { Source } from '../../ports/source.ts';
import { findProviders, providersAt } from '../../provider/providers.ts';
import { mayReachPrivateNetwork } from '../network/network-reach.ts';
import { type Candidate, credentialOf, foundSource, shownScheme } from './found-source.ts';
import { ProbeDeadline, type ProbeResult, runProbe } from './run-probe.ts';

interface Dependencies {
  kinds: readonly Source[];
  accessProbe?: AccessProbe | undefined;
  catalog: Pick<Catalog, 'reservedNamespaces'>;
}

interface Question {
  url: string;
  allowPrivateNetwork?: boolean | undefined;
}

/**
 * Finds out what is behind a URL. All probes run at the same time, and none of them decides alone: what is found twice is for a user to
 * choose, unless only one of the systems is at the typed URL itself.
 */
export async function detectSource(
  workspaceId: string,
  question: Question,
  dependencies: Dependencies,
): Promise<DetectedSource> {
  const { url } = question;
  const { results, access } = await runProbes(question, dependencies);
  const probes = [...results.map(({ seen }) => seen), ...(access ? [access.seen] : [])];
  const detected = results.flatMap(({ found }) => found ?? []);
  const candidates = detected.length > 0 ? detected : fromProviders(url, dependencies.kinds);
  const takenNamespaces = await dependencies.catalog.reservedNamespaces(workspaceId);
  const view = (candidate: Candidate) =>
    foundSource(candidate, { access: accessFor(candidate, url, access?.found), takenNamespaces });
  const chosen = onlyCandidate(candidates, url);
  if (chosen) return { ...view(chosen), choices: [], probes };
  if (candidates.length > 0) return { url, choices: candidates.map(view), probes };
  if (!access?.found?.refused) throw nothingFound(question, { results, access });
  const auth = access.found.security.map(shownScheme);
  const credential = credentialOf(auth, access.found, [url]);
  return { url, ...(auth.length > 0 && { auth }), ...(credential && { credential }), choices: [], probes };
}

interface Probed {
  results: ProbeResult<Candidate[]>[];
  access: ProbeResult<ProbedAccess> | undefined;
}

async function runProbes(question: Question, { kinds, accessProbe }: Dependencies): Promise<Probed> {
  const { url } = question;
  const deadline = new ProbeDeadline();
  const options = { signal: deadline.signal, allowPrivateNetwork: mayReachPrivateNetwork(question) };
  const access =
    accessProbe && runProbe('auth', deadline, (report) => accessProbe.probe(url, { ...options, report }));
  const results = kinds.flatMap((source) => {
    if (source.detect === undefined) return [];
    return runProbe(source.kind, deadline, async (report) => {
      const found = [(await source.detect?.(url, { ...options, report })) ?? []].flat();
      if (found.length === 0) return undefined;
      return found.map((one) => ({ kind: source.kind, url: one.settings.url ?? url, detected: one }));
    });
  });
  return { results: await Promise.all(results), access: await access };
}

/** What is known of the host, if nothing there says what it is. */
function fromProviders(url: string, kinds: readonly Source[]): Candidate[] {
  const connectable = new Set(findProviders(kinds));
  return providersAt([url])
    .filter((provider) => connectable.has(provider))
    .map(({ kind, url: at, title }) => ({
      kind,
      url: at,
      detected: { settings: { url: at }, title, confidence: 'likely' },
    }));
}

function onlyCandidate(candidates: Candidate[], url: string): Candidate | undefined {
  if (candidates.length === 1) return candidates[0];
  const typed = new URL(url).href;
  const atUrl = candidates.filter(
    (candidate) => new URL(candidate.url).href === typed && isCertain(candidate),
  );
  return atUrl.length === 1 ? atUrl[0] : undefined;
}

function isCertain({ detected: { confidence = 'certain' } }: Candidate): boolean {
  return confidence === 'certain';
}

/** How the typed URL is protected says nothing about other hosts. */
function accessFor({ url }: Candidate, typed: string, access: ProbedAccess | undefined) {
  return new URL(url).origin === new URL(typed).origin ? access : undefined;
}

function nothingFound({ url }: Question, { results, access }: Probed): ExecutorError {
  const probes = [...results, ...(access ? [access] : [])].map(({ seen }) => seen);
  const details = { probes };
  if (access?.error instanceof ExecutorError)
    return new ExecutorError('unreachable', access.error.message, { details, cause: access.error });
  if (probes.length > 0 && probes.every(({ outcome }) => outcome === 'timeout'))
    return new ExecutorError(
      'timeout',
      `${url} did not respond in time. Check the URL, or try again later.`,
      {
        details,
      },
    );
  return new ExecutorError(
    'unusableDocument',
    `No ${results.map(({ seen: { kind } }) => kind).join(', ')} description was found at ${url}. Enter the URL of the API's description.`,
    { details },
  );
}
