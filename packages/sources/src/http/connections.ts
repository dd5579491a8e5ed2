import type { Socket } from 'node:net';
import { literalAddress } from '@executor/engine';
import type { ClientCertificate } from '@executor/protocol';
import { Agent, buildConnector } from 'undici';
import { isWithin, type Reach } from './reach.ts';
import { lookupFor, type Resolve } from './resolve.ts';
import { beforeAnyAnswer, refusedAddress, whileConnecting } from './unreachable-error.ts';

export interface ConnectionLimits {
  /** At once, to one origin; more requests wait for their turn. */
  perOrigin: number;
  connectTimeoutMs: number;
  /** From the request to the last of the answer's headers. */
  headersTimeoutMs: number;
  /** Between two pieces of a body. */
  bodyTimeoutMs: number;
  maxHeaderBytes: number;
}

export const defaultLimits: ConnectionLimits = {
  perOrigin: 64,
  connectTimeoutMs: 10_000,
  // Longer than any call may take: how long it does take is for whoever sends it.
  headersTimeoutMs: 660_000,
  bodyTimeoutMs: 660_000,
  maxHeaderBytes: 64 * 1024,
};

/** What the two sides of a secure connection show each other, beyond what is usual. */
export interface Handshake {
  certificate?: ClientCertificate | undefined;
  /** Whom to trust for the certificate of the server, as PEM, instead of those usually. */
  serverCa?: string | undefined;
}

/**
 * Connections that are kept for the next request. Every one of them is made here, after its address was checked; those that may lead
 * further and those that may not are never in the same pool. What the environment says of proxies is not followed.
 */
export function createConnections(
  resolve: Resolve,
  reach: Reach,
  { certificate, serverCa, ...limits }: ConnectionLimits & Handshake,
): Agent {
  const connect = buildConnector({
    lookup: lookupFor(resolve, reach),
    timeout: limits.connectTimeoutMs,
    autoSelectFamily: true,
    allowH2: false,
    ...(certificate && shownIn(certificate)),
    ...(serverCa !== undefined && { ca: serverCa }),
  });
  return new Agent({
    connections: limits.perOrigin,
    pipelining: 1,
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.bodyTimeoutMs,
    maxHeaderSize: limits.maxHeaderBytes,
    connect(options, callback) {
      // A host that is an address already is not looked up.
      const literal = literalAddress(options.hostname);
      if (literal !== undefined && !isWithin(reach, literal))
        return callback(refusedAddress(literal, literal), null);
      const host = options.host ?? options.hostname;
      try {
        return connect(options, (error, socket) => {
          if (error) return callback(whileConnecting(error, host), null);
          if (socket) endWithReason(socket, host);
          return callback(null, socket);
        });
      } catch (error) {
        // A certificate that cannot be read.
        return callback(whileConnecting(error, host), null);
      }
    },
  });
}

/** What the other side said before it closed is the reason, not that it closed. */
function endWithReason(socket: Socket, host: string): void {
  socket.once('error', (error) => {
    socket.destroy(socket.bytesRead === 0 ? beforeAnyAnswer(error, host) : error);
  });
}

function shownIn({ certificate, key, passphrase }: ClientCertificate) {
  return { cert: certificate, key, ...(passphrase !== undefined && { passphrase }) };
}
