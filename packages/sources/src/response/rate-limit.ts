import type { HttpResponse } from '../http/http-client.ts';

export interface RateLimit {
  limit?: number;
  remaining?: number;
  /** When the limit resets. */
  resetAt?: string;
}

type Headers = HttpResponse['headers'];

/** The rate limit of an API, from the IETF draft's headers or the older `X-RateLimit` ones. */
export function rateLimitOf(headers: Headers, now: number): RateLimit | undefined {
  const structured = structuredLimit(text(headers.ratelimit), now);
  if (structured) return structured;
  for (const prefix of ['ratelimit', 'x-ratelimit', 'x-rate-limit']) {
    for (const suffix of ['', '-requests']) {
      const header = (name: string) => text(headers[`${prefix}-${name}${suffix}`]);
      const found = limitOf(
        { limit: header('limit'), remaining: header('remaining'), reset: header('reset') },
        now,
      );
      if (found) return found;
    }
  }
  return undefined;
}

/** The `Retry-After` header: seconds or a date. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const value = text(headers['retry-after'])?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.min(Number(value) * 1000, maxWaitMs);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), maxWaitMs);
}

const maxWaitMs = 365 * 86_400_000;

/** `limit=100, remaining=50, reset=5`, or `"name";r=50;t=5`. */
function structuredLimit(header: string | undefined, now: number): RateLimit | undefined {
  if (header === undefined) return undefined;
  const pairs = new Map(
    [...header.slice(0, 1000).matchAll(/(\w+)\s*=\s*"?([\w.]+)/g)].map(([, name, value]) => [name, value]),
  );
  return limitOf(
    {
      limit: pairs.get('limit') ?? pairs.get('q'),
      remaining: pairs.get('remaining') ?? pairs.get('r'),
      reset: pairs.get('reset') ?? pairs.get('t'),
    },
    now,
  );
}

function limitOf(
  texts: { limit: string | undefined; remaining: string | undefined; reset: string | undefined },
  now: number,
): RateLimit | undefined {
  const limit = count(texts.limit);
  const remaining = count(texts.remaining);
  const resetAt = resetTime(texts.reset, now);
  if (limit === undefined && remaining === undefined) return undefined;
  return {
    ...(limit !== undefined && { limit }),
    ...(remaining !== undefined && { remaining }),
    ...(resetAt !== undefined && { resetAt }),
  };
}

function count(value: string | undefined): number | undefined {
  const digits = /^\s*(\d{1,15})/.exec(value ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** A time in seconds or milliseconds, seconds from now, a date, or `6m0s`. */
function resetTime(value: string | undefined, now: number): string | undefined {
  if (value === undefined) return undefined;
  const number = /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
  const time =
    number === undefined ? (durationMs(value) ?? Date.parse(value) - now) + now : absolute(number, now);
  return Number.isFinite(time) && Math.abs(time) < 8.64e15 ? new Date(time).toISOString() : undefined;
}

function absolute(number: number, now: number): number {
  if (number > 1e12) return number;
  return number > 1e9 ? number * 1000 : now + number * 1000;
}

function durationMs(value: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|d|h|m|s))+$/.test(value)) return undefined;
  const units: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
  return [...value.matchAll(/(\d+(?:\.\d+)?)(ms|d|h|m|s)/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? ''] ?? 0),
    0,
  );
}

function text(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
