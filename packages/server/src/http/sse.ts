/** One event as it stands in a stream of server-sent events. */
interface StreamedEvent {
  id: string;
  type: string;
}

/** JSON has no line breaks of its own, so the data is one line. */
export function encodeEvent(event: StreamedEvent): string {
  return `id: ${oneLine(event.id)}\nevent: ${oneLine(event.type)}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** How a stream begins: how soon to come back after it was cut off, and from where. */
export function encodeBeginning({
  retryMs,
  eventId,
}: {
  retryMs: number;
  eventId: string | undefined;
}): string {
  return `retry: ${retryMs}\n${eventId === undefined ? '' : `id: ${oneLine(eventId)}\n`}\n`;
}

/** Nobody sees it, but the connection is not idle, and whether the other side is still there shows. */
export const heartbeat = ': still here\n\n';

function oneLine(text: string): string {
  return text.replace(/[\r\n\0]/g, '');
}
