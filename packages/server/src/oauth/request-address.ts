import type { Context } from 'hono';

/** The address that a request was sent to: its `Host`, and the local end of its connection. */
export interface RequestAddress {
  host: string;
  localAddress: string | undefined;
  localPort: number | undefined;
}

export function addressOf(http: Context): RequestAddress {
  const socket = http.env?.incoming?.socket;
  return {
    // The host guard rejects requests without one.
    host: http.req.header('host') as string,
    localAddress: socket?.localAddress,
    localPort: socket?.localPort,
  };
}

/**
 * Whether `Host` is certainly this server's own address. The sender writes `Host`, and the guard checks only its name. Another port is
 * another server, and so is `localhost` on another machine.
 */
export function isOwnAddress({ host, localAddress, localPort }: RequestAddress): boolean {
  const { port } = new URL(`http://${host}`);
  return isLoopback(localAddress ?? '') && Number(port || 80) === localPort;
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}
