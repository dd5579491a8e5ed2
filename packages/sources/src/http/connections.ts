import type { Socket } from 'node:net';
import { literalAddress } from '@executor/engine';
import type { ClientCertificate } from '@executor/protocol';
import { Agent, buildConnector } from 'undici';
import { isWithin, type Reach } from './reach.ts';
import { lookupFor, type Resolve } from './resolve.ts';
import { beforeAnyResponse, refusedAddress, whileConnecting } from './unreachable-error.ts';

export interface ConnectionLimits {
  /** Maximum connections per origin. Further requests wait. */
  perOrigin: number;
  connectTimeoutMs: number;
  /** Timeout from the request to the end of the response headers. */
  headersTimeoutMs: number;
  /** Timeout between two chunks of a body. */
  bodyTimeoutMs: number;
  maxHeaderBytes: number;
}

export const defaultLimits: ConnectionLimits = {
  perOrigin: 64,
  connectTimeoutMs: 10_000,
  // Longer than any call may take: the caller sets the real timeout.
  headersTimeoutMs: 660_000,
  bodyTimeoutMs: 660_000,
  maxHeaderBytes: 64 * 1024,
};

/** TLS settings other than the defaults. */
export interface Handshake {
  certificate?: ClientCertificate | undefined;
  /** PEM of the certificate authorities to trust for this server instead of the default ones. */
  serverCa?: string | undefined;
}

/**
 * Keep-alive connections. Every connection is opened here, after its address was checked. Connections with different network reach are
 * never in the same pool. Proxy settings of the environment are ignored.
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
    ...(certificate && tlsOptions(certificate)),
    ...(serverCa !== undefined && { ca: serverCa }),
  });
  return new Agent({
    connections: limits.perOrigin,
    pipelining: 1,
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.bodyTimeoutMs,
    maxHeaderSize: limits.maxHeaderBytes,
    connect(options, callback) {
      // Node does not look up a host that is already an address, so it is checked here.
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
        // The certificate cannot be read.
        return callback(whileConnecting(error, host), null);
      }
    },
  });
}

/** Reports the TLS alert that preceded the close as the reason. */
function endWithReason(socket: Socket, host: string): void {
  socket.once('error', (error) => {
    socket.destroy(socket.bytesRead === 0 ? beforeAnyResponse(error, host) : error);
  });
}

function tlsOptions({ certificate, key, passphrase }: ClientCertificate) {
  return { cert: certificate, key, ...(passphrase !== undefined && { passphrase }) };
}
