import type { Context } from 'hono';

/** How a request reached this server: what it calls us, and where its connection came in. */
export interface Addressed {
  host: string;
  localAddress: string | undefined;
  localPort: number | undefined;
}

export function addressedOf(http: Context): Addressed {
  const socket = http.env?.incoming?.socket;
  return {
    // Without one the guard has refused.
    host: http.req.header('host') as string,
    localAddress: socket?.localAddress,
    localPort: socket?.localPort,
  };
}

/**
 * Whether what it calls us is our address beyond doubt. Whoever sends a request writes its `Host`, and the guard looks at the name alone: another
 * port is another server, and so is `localhost` to whoever comes from another machine.
 */
export function isOwnAddress({ host, localAddress, localPort }: Addressed): boolean {
  const { port } = new URL(`http://${host}`);
  return isLoopback(localAddress ?? '') && Number(port || 80) === localPort;
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}
