/** A port with synchronous methods. */
export type Immediate<Port> = {
  [Key in keyof Port]: Port[Key] extends (...parameters: infer Parameters) => Promise<infer Answer>
    ? (...parameters: Parameters) => Answer
    : never;
};

/** The same port over a network: each call is sent and gets its response later. */
export function overWire<Port extends object>(
  near: Immediate<Port>,
  send: (label: string, run: () => unknown) => Promise<unknown>,
): Port {
  return new Proxy(near, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function') return method;
      return (...parameters: unknown[]) => send(String(name), () => method.apply(target, parameters));
    },
  }) as unknown as Port;
}
