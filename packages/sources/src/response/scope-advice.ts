import type { Tool } from '@executor/engine';
import { isObject, listOf, own } from '../document/json.ts';
import type { HttpResponse } from '../http/http-client.ts';

const maxAlternatives = 8;

/** The scopes that a call needs, as a sentence after the error of a response that asks for them. Empty for other errors. */
export function scopeAdvice(response: HttpResponse, body: unknown, security: Tool['security'] = []): string {
  if (response.status !== 403 || !lacksScope(response, body)) return '';
  const alternatives = security
    .map((requirement) => requirement.flatMap(({ scopes = [] }) => scopes).join(' and '))
    .filter((scopes) => scopes !== '');
  if (alternatives.length === 0) return '';
  const shown = alternatives.slice(0, maxAlternatives);
  const [only] = shown;
  const needed = shown.length === 1 ? `the scope ${only}` : `one of these scopes: ${shown.join(', ')}`;
  const others = alternatives.length > shown.length ? ' and others' : '';
  return `. The credentials lack a scope. This call needs ${needed}${others}`;
}

/** RFC 6750, or the reason that Google gives. */
function lacksScope({ headers }: HttpResponse, body: unknown): boolean {
  if (/\berror="?insufficient_scope\b/i.test(String(headers['www-authenticate'] ?? '').slice(0, 4_000)))
    return true;
  const details = listOf(own(own(body, 'error'), 'details'));
  return details.some((one) => isObject(one) && own(one, 'reason') === 'ACCESS_TOKEN_SCOPE_INSUFFICIENT');
}
