import type { Bytes } from '@executor/protocol';
import { type ClientOptions, failure, type Request, send } from './send.ts';

export function readBytes(client: ClientOptions, request: Omit<Request, 'accept'>): Promise<Bytes> {
  return send(client, { ...request, accept: '*/*' }, async (response) => {
    if (!response.ok) throw await failure(response);
    const name = fileName(response.headers.get('content-disposition') ?? '');
    return {
      mediaType: response.headers.get('content-type') ?? 'application/octet-stream',
      ...(name !== undefined && { name }),
      bytes: new Uint8Array(await response.arrayBuffer()),
    };
  });
}

function fileName(disposition: string): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  const plain = /filename="([^"]*)"/i.exec(disposition)?.[1];
  try {
    return encoded === undefined ? plain : decodeURIComponent(encoded);
  } catch {
    return plain;
  }
}
