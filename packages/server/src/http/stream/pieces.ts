const pieceBytes = 64 * 1024;

/**
 * Large bodies are sent in pieces, each after the one before it was taken. So it is known how much the caller takes, and a slow caller is
 * not mistaken for one that does not read.
 */
export function inPieces(
  bytes: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> {
  if (bytes.length <= pieceBytes) return bytes;
  let sent = 0;
  return new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(bytes.subarray(sent, sent + pieceBytes));
        sent += pieceBytes;
        if (sent >= bytes.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
