import type { Effect, ToolRow } from '../../../ports/source.ts';

/** The properties of a tool's call that a search uses. */
export interface ToolKind {
  effect: Effect;
  deprecated: boolean;
  /** Whether its result may contain the id of a resource. */
  mayIdentify: boolean;
  /** `OTHER` for an unknown method; undefined for a tool without HTTP. */
  method: string | undefined;
}

/** These numbers are stored. New values may only be added at the end. */
const effects: readonly Effect[] = ['read', 'write', 'destructive'];
const methods = [undefined, 'OTHER', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/**
 * Encodes the kind as one number: two bits for the effect, one each for `deprecated` and `mayIdentify`, then the
 * method.
 */
export function kindNumber({ effect, deprecated, origin }: ToolRow, mayIdentify: boolean): number {
  return (
    effectNumber(effect) |
    (deprecated === true ? 4 : 0) |
    (mayIdentify ? 8 : 0) |
    (methodNumber(origin.method) << 4)
  );
}

export function toolKind(number: number): ToolKind {
  return {
    effect: effects[number & 3] ?? 'destructive',
    deprecated: (number & 4) !== 0,
    mayIdentify: (number & 8) !== 0,
    method: methods[number >> 4],
  };
}

/** An unknown effect counts as destructive. */
function effectNumber(effect: Effect): number {
  const number = effects.indexOf(effect);
  return number < 0 ? effects.length - 1 : number;
}

function methodNumber(method: unknown): number {
  if (typeof method !== 'string') return 0;
  return Math.max(1, methods.indexOf(method as (typeof methods)[number]));
}
