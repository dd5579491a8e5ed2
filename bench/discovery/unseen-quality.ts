import type { Tool } from '@executor/engine';
import { type Half, type UnseenRequest, unanswerableRequests, unseenSets } from './unseen-sets.ts';

/** Finds the paths of tools for a request, the best first. */
export type Find = (request: string) => string[] | Promise<string[]>;

/** Prepares a search among the tools of some services. */
export type Prepare = (services: { namespace: string; title: string; tools: Tool[] }[]) => Promise<Find>;

export interface UnseenQuality {
  /** The share of needs with a tool among the first five, if each service is searched alone, or all of a half together. */
  alone: number;
  together: number;
  /** The same, by kind of request, as `[alone, together]`. */
  kinds: Record<UnseenRequest['kind'], [number, number]>;
  /** The same for requests with several needs. */
  severalSteps: number;
  /** The share of the first five results that are of the service that a request names. */
  ofNamed: number;
  /** The share of answerable requests without a result. */
  empty: number;
  /** The number of unanswerable requests without a result. */
  refused: number;
  unanswerable: number;
  requests: number;
  tools: number;
}

export async function unseenQuality(half: Half, prepare: Prepare): Promise<UnseenQuality> {
  const sets = unseenSets(half);
  const services = sets.map(({ name, title, tools }) => ({ namespace: name, title, tools }));
  const operations = new Map(
    sets.flatMap(({ tools }) => tools.map((tool) => [tool.path, operationOf(tool)])),
  );
  const keysOf = (paths: string[], name: string) =>
    paths.map((path) => (path.startsWith(`${name}.`) ? (operations.get(path) ?? path) : path));
  const all = await prepare(services);
  const rows: {
    request: UnseenRequest;
    alone: string[];
    together: string[];
    named: string[];
    name: string;
  }[] = [];
  for (const [position, { requests, title, name }] of sets.entries()) {
    const find = await prepare(services.slice(position, position + 1));
    for (const request of requests)
      rows.push({
        request,
        name,
        alone: keysOf(await find(request.query), name),
        together: keysOf(await all(request.query), name),
        named: (await all(`${request.query} in ${title}`)).slice(0, 5),
      });
  }
  const unanswerable = unanswerableRequests(half);
  let refused = 0;
  for (const query of unanswerable) if ((await all(query)).length === 0) refused += 1;
  const mean = (values: number[]) =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const ofKind = (kind: UnseenRequest['kind']): [number, number] => {
    const own = rows.filter(({ request }) => request.kind === kind);
    return [
      mean(own.map(({ request, alone }) => metNeeds(request, alone))),
      mean(own.map(({ request, together }) => metNeeds(request, together))),
    ];
  };
  return {
    alone: mean(rows.map(({ request, alone }) => metNeeds(request, alone))),
    together: mean(rows.map(({ request, together }) => metNeeds(request, together))),
    kinds: { everyday: ofKind('everyday'), usual: ofKind('usual') },
    severalSteps: mean(
      rows
        .filter(({ request }) => request.needs.length > 1)
        .map(({ request, together }) => metNeeds(request, together)),
    ),
    ofNamed: mean(
      rows
        .filter(({ named }) => named.length > 0)
        .map(({ named, name }) => mean(named.map((path) => (path.startsWith(`${name}.`) ? 1 : 0)))),
    ),
    empty: mean(
      rows.flatMap(({ alone, together }) => [alone, together]).map(({ length }) => (length === 0 ? 1 : 0)),
    ),
    refused,
    unanswerable: unanswerable.length,
    requests: rows.length,
    tools: operations.size,
  };
}

/** The share of a request's needs that the first five results meet. */
export function metNeeds({ needs }: UnseenRequest, found: string[]): number {
  const first = found.slice(0, 5);
  return needs.filter((need) => need.some((key) => first.includes(key))).length / needs.length;
}

function operationOf({ origin }: Tool): string {
  return `${origin.method} ${origin.path}`;
}
