import type { Effect } from '@executor/engine';

export interface MethodEffect {
  effect: Effect;
  repeatable: boolean;
}

const byMethod = new Map<string, MethodEffect>([
  ...['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'].map(
    (method) => [method, { effect: 'read', repeatable: true }] as const,
  ),
  ['PUT', { effect: 'write', repeatable: true }],
  ['DELETE', { effect: 'destructive', repeatable: true }],
]);

export const worstEffect: MethodEffect = { effect: 'destructive', repeatable: false };

/** The effect of a method in upper case. An unknown method writes. */
export function effectOfMethod(method: string): MethodEffect {
  return byMethod.get(method) ?? { effect: 'write', repeatable: false };
}

/** The effect of a method that replaces another one. An unknown method may do anything. */
export function effectOfOverride(method: string): MethodEffect {
  return ['POST', 'PATCH'].includes(method) ? effectOfMethod(method) : (byMethod.get(method) ?? worstEffect);
}

const severity = { read: 0, write: 1, destructive: 2 } as const satisfies Record<Effect, number>;

/** The effect of a call that may be any of several. */
export function worstOf(effects: readonly MethodEffect[], first: MethodEffect): MethodEffect {
  return effects.reduce(
    (worst, { effect, repeatable }) => ({
      effect: severity[effect] > severity[worst.effect] ? effect : worst.effect,
      repeatable: worst.repeatable && repeatable,
    }),
    first,
  );
}
