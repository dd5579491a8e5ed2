import { maxNonces, nonceHeader } from '@executor/protocol';

/** The nonces of the server processes that have answered, the latest first. */
export class KnownNonces {
  readonly #readFirst: () => Promise<unknown>;
  #nonces: readonly string[] = [];
  #first: Promise<unknown> | undefined;

  /** `readFirst` sends a request without a signature whose response is learned from, so that no signed request fails for want of a nonce. */
  constructor(readFirst: () => Promise<unknown> = async () => {}) {
    this.#readFirst = readFirst;
  }

  async list(): Promise<readonly string[]> {
    if (this.#nonces.length === 0) {
      this.#first ??= this.#readFirst().catch(() => {});
      await this.#first;
      this.#first = undefined;
    }
    return this.#nonces;
  }

  /** Keeps the nonce of a response and returns it. */
  learnFrom({ headers }: { headers: Pick<Headers, 'get'> }): string | undefined {
    const nonce = headers.get(nonceHeader) ?? '';
    if (!/^[\w-]{22}$/.test(nonce)) return undefined;
    this.#nonces = [nonce, ...this.#nonces.filter((known) => known !== nonce)].slice(0, maxNonces);
    return nonce;
  }
}
