import { encodeHead, parseHead } from './message-head.ts';
import type { DeliveredItem, ToLane } from './messages.ts';

export function encodeToLane(message: ToLane): string {
  const { type, run } = message;
  switch (type) {
    case 'start': {
      const { seed, limits, head, drains } = message;
      return encodeHead(
        type,
        run,
        message.slice.cpuUs,
        message.epoch,
        JSON.stringify({ seed, limits, head, drains }),
      );
    }
    case 'deliver':
      return encodeHead(type, run, message.slice.cpuUs, 0, encodeItems(message.items));
    case 'restore': {
      const { vm, limits, build } = message;
      return encodeHead(type, run, 0, 0, JSON.stringify({ vm, limits, build }));
    }
    default:
      return encodeHead(type, run);
  }
}

/** Nothing is checked, because the server is trusted. */
export function parseToLane(text: string): ToLane {
  const { type, run, first, second, text: rest } = parseHead(text);
  const slice = { cpuUs: first };
  switch (type) {
    case 'start':
      return { type, run, epoch: second, slice, ...JSON.parse(rest) };
    case 'deliver':
      return { type, run, slice, items: parseItems(rest) };
    case 'restore':
      return { type, run, ...JSON.parse(rest) };
    default:
      return { type: type as 'evict' | 'drop', run };
  }
}

type ItemFields = [index: number, at: number, length: number, name?: string, message?: string];

/** Encodes plain numbers, as in the head, unless a call failed. */
function encodeItems(items: DeliveredItem[]): string {
  if (items.every(({ error }) => error === undefined))
    return items.map(({ index, at, length }) => `${index},${at},${length}`).join(';');
  const fields = items.map(
    ({ index, at, length, error }): ItemFields =>
      error ? [index, at, length, error.name, error.message] : [index, at, length],
  );
  return JSON.stringify(fields);
}

function parseItems(text: string): DeliveredItem[] {
  if (!text.startsWith('[')) return text.split(';').map(parseItem);
  return JSON.parse(text).map(([index, at, length, name, message]: ItemFields) =>
    name === undefined ? { index, at, length } : { index, at, length, error: { name, message } },
  );
}

function parseItem(text: string): DeliveredItem {
  const [index, at, length] = text.split(',');
  return { index: Number(index), at: Number(at), length: Number(length) };
}
