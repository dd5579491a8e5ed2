import { type RequestId, Server, type ServerOptions, type Transport } from '@modelcontextprotocol/server';

/**
 * The server for one POST of the session era. A cancelled request gets no response, as the protocol demands. The SDK would then keep the
 * stream of responses open for ever, so this class ends it when all other requests of the POST are answered.
 */
export class SessionServer extends Server {
  readonly #unanswered: Set<RequestId>;
  #hasCancelled = false;

  constructor(
    info: ConstructorParameters<typeof Server>[0],
    options: ServerOptions,
    requestIds: RequestId[],
  ) {
    super(info, options);
    this.#unanswered = new Set(requestIds);
  }

  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      await send(message, options);
      if (!('method' in message) && message.id !== undefined) await this.#settle(message.id);
    };
    await super.connect(transport);
  }

  async leaveUnanswered(requestId: RequestId): Promise<void> {
    this.#hasCancelled = true;
    // The SDK drops the response of a request that is cancelled on its own transport.
    const params = { requestId };
    this.transport?.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    await this.#settle(requestId);
  }

  async #settle(requestId: RequestId): Promise<void> {
    this.#unanswered.delete(requestId);
    if (this.#hasCancelled && this.#unanswered.size === 0) await this.close();
  }
}
