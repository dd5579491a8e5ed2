import { writeRecorded } from '@executor/engine';

/** One event of a stream of server-sent events. */
interface StreamedEvent {
  id: string;
  type: string;
}

/** Line breaks in JSON are only space, so the data is one line without them. */
export function encodeEvent(event: StreamedEvent): string {
  return `id: ${oneLine(event.id)}\nevent: ${oneLine(event.type)}\ndata: ${oneLine(writeRecorded(event))}\n\n`;
}

/** The first lines of a stream: how soon to reconnect after it is cut off, and from which event. */
export function encodeBeginning({
  retryMs,
  eventId,
}: {
  retryMs: number;
  eventId: string | undefined;
}): string {
  return `retry: ${retryMs}\n${eventId === undefined ? '' : `id: ${oneLine(eventId)}\n`}\n`;
}

/** A comment that keeps the connection alive and reveals a dead one. */
export const heartbeat = ': still here\n\n';

function oneLine(text: string): string {
  return text.replace(/[\r\n\0]/g, '');
}
