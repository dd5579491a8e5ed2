import type { Effect, ToolRow } from '../../../ports/source.ts';

/** What kind of call a tool is, as far as a search minds. */
export interface ToolKind {
  effect: Effect;
  deprecated: boolean;
  /** Whether it may answer anything by which a thing can be named later. */
  mayIdentify: boolean;
  /** `OTHER` for one that nothing is known of; undefined where it is no call over HTTP. */
  method: string | undefined;
}

/** Kept as they are numbered here: at the end there is room for more. */
const effects: readonly Effect[] = ['read', 'write', 'destructive'];
const methods = [undefined, 'OTHER', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** As one number: two bits of effect, one each for `deprecated` and `mayIdentify`, and the method. */
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

/** What is not known is taken for the worst. */
function effectNumber(effect: Effect): number {
  const number = effects.indexOf(effect);
  return number < 0 ? effects.length - 1 : number;
}

function methodNumber(method: unknown): number {
  if (typeof method !== 'string') return 0;
  return Math.max(1, methods.indexOf(method as (typeof methods)[number]));
}
