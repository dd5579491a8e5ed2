import { KnownNonces } from '@executor/client';

/** The nonces that this tab signs its requests with. Responses about the health of the server carry the current one too. */
export const nonces: KnownNonces = new KnownNonces(async () => {
  nonces.learnFrom(await fetch('/v1/health'));
});
