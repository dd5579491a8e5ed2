import { toolText } from '@executor/engine';
import type { Figure } from '../figure.ts';
import { PlainBm25 } from './plain-bm25.ts';
import { search, searched } from './searching.ts';
import { type Find, type Prepare, type UnseenQuality, unseenQuality } from './unseen-quality.ts';

/** Measures search on services that nobody looked at while the ranking was written, beside plain BM25. */
export async function measureUnseen(): Promise<Figure[]> {
  const ours = await unseenQuality('report', prepare);
  const theirs = await unseenQuality('report', async (services) => {
    const plain = new PlainBm25(services.flatMap(({ tools }) => tools));
    return (request) => plain.find(request, 10);
  });
  const name = `unseen services (${ours.requests} requests, ${ours.tools} tools)`;
  const row = (what: string, pick: (quality: UnseenQuality) => number, unit = ''): Figure => ({
    name: `${name}: ${what}`,
    value: pick(ours),
    unit,
    baseline: { name: 'plain BM25', value: pick(theirs) },
  });
  return [
    row('recall@5, one service', ({ alone }) => alone),
    row('recall@5, all together', ({ together }) => together),
    row('recall@5, everyday words', ({ kinds }) => kinds.everyday[1]),
    row('recall@5, usual words', ({ kinds }) => kinds.usual[1]),
    row('recall@5, several steps', ({ severalSteps }) => severalSteps),
    row('first five of the service that is named', ({ ofNamed }) => ofNamed),
    row('empty answers', ({ empty }) => empty),
    row('refused, if nothing fits', ({ refused }) => refused, `of ${ours.unanswerable}`),
  ];
}

/** Indexes services as the product does. */
export const prepare: Prepare = async (services): Promise<Find> => {
  const sources = services.map(({ namespace, title, tools }) =>
    searched({ namespace, name: title, texts: tools.map(toolText) }),
  );
  return (request) => search(sources, request, { limit: 10 }).found.map(({ path }) => path);
};
