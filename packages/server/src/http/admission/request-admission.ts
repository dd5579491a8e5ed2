import { createHash } from 'node:crypto';
import {
  type Account,
  accountOf,
  accountOfAddress,
  chargeTo,
  type Hold,
  type RateLimit,
  type Resources,
} from '@executor/engine';
import { ExecutorError, type Principal } from '@executor/protocol';
import type { Context } from 'hono';
import { cookieValues, shownSecret } from '../../auth/credential.ts';
import type { Connections } from '../../connection/connections.ts';
import type { Turn } from './turn.ts';

/** A request that may use the server, and what it is charged to. */
export interface AdmittedRequest<Caller> {
  principal: Caller;
  account: Account;
  /** What the request holds. A request that only waits gives it back. */
  turn: Turn;
}

interface AdmissionOptions {
  resources: Pick<Resources, 'held' | 'requestRate'>;
  connections?: Pick<Connections, 'credit'> | undefined;
  /** The name of the cookie of browser sessions. */
  cookieName: string;
}

/** The part of a request that says who sends it: a key or token, or else the cookies of sessions. */
interface ShownCredential {
  scope: 'mcp' | 'v1';
  secrets: string[];
}

/** How long a request waits for its turn. */
const patienceMs = 3_000;
/** Maximum number of people's credentials that are known, and of agents'. */
const maxKnown = 10_000;

/**
 * Lets requests in, so that no key and no address takes all of the server.
 *
 * - A key that was valid before is charged from the beginning, also for the search for its key. Other requests are charged to their
 *   address until their credential is known. So invalid keys do not delay a caller who is known. Nothing that agents send makes a
 *   person unknown.
 * - A sign-in is charged to the person who created its link. New sessions and keys are known from their first request.
 * - An agent in a loop is refused (`requestRate`). Requests over the share of their key wait their turn for a moment.
 * - A request has its place until its response was read.
 */
export class RequestAdmission {
  readonly #resources: AdmissionOptions['resources'];
  readonly #connections: AdmissionOptions['connections'];
  readonly #cookieName: string;
  /** The accounts of credentials that were valid, by a hash of the headers. Not a proof: each request is authenticated. */
  readonly #known = { person: new Map<string, Account>(), agent: new Map<string, Account>() };

  constructor({ resources, connections, cookieName }: AdmissionOptions) {
    this.#resources = resources;
    this.#connections = connections;
    this.#cookieName = cookieName;
  }

  /** Throws what `identify` throws, or `tooManyRequests`. The turn holds what the request needs. */
  async admit<Caller extends Principal | undefined>(
    http: Context,
    turn: Turn,
    identify: () => Promise<Caller>,
  ): Promise<AdmittedRequest<Caller>> {
    const fingerprint = fingerprintOf(this.#shownBy(http));
    const presumed = this.#recall(fingerprint);
    if (presumed) this.restrain(presumed);
    const payer = presumed ?? accountOfCaller(http);
    const place = await this.enter({ account: payer, turn });
    const principal = await chargeTo(payer, identify).catch((error) => {
      this.#forget(fingerprint, place);
      throw error;
    });
    if (principal === undefined) {
      this.#forget(fingerprint, place);
      return { principal, account: payer, turn };
    }
    const account = accountOf(principal);
    http.set(accountVariable, account);
    this.#connections?.credit(http.env?.incoming?.socket, account);
    if (presumed && account.key === presumed.key && account.kind === presumed.kind)
      return { principal, account, turn };
    place.release();
    this.restrain(account);
    this.#remember(fingerprint, account);
    await this.enter({ account, turn });
    return { principal, account, turn };
  }

  /** Takes a place for a request that has none. */
  async enter({ account, turn }: Pick<AdmittedRequest<undefined>, 'account' | 'turn'>): Promise<Hold> {
    return turn.keepPlace(await this.#resources.held.requests.takeWithin(patienceMs, account));
  }

  /** Throws if an agent makes too many requests per second. */
  restrain({ kind, key }: Account, count = 1): void {
    const { requestRate } = this.#resources;
    const seconds = kind === 'agent' && count > 0 ? requestRate.take(key, count) : undefined;
    if (seconds !== undefined) throw tooFast(requestRate, seconds);
  }

  /** A browser session was opened. Its requests are charged to it from the first one. */
  expectSession(cookie: string, account: Account): void {
    this.#remember(fingerprintOf({ scope: 'v1', secrets: [cookie] }), account);
  }

  /** A key was created. Its requests are charged to it from the first one. */
  expectKey(key: string, account: Account): void {
    // At /mcp, a person's key acts as an agent.
    const scopes: ShownCredential['scope'][] = account.kind === 'agent' ? ['v1', 'mcp'] : ['v1'];
    for (const scope of scopes) this.#remember(fingerprintOf({ scope, secrets: [key] }), account);
  }

  /** One person's key may be used at `/mcp` and at `/v1`, where it is charged to different accounts. */
  #shownBy({ req }: Context): ShownCredential {
    const scope = req.path === '/mcp' ? 'mcp' : 'v1';
    const secret = shownSecret((name) => req.header(name));
    return { scope, secrets: secret ? [secret] : cookieValues(req.header('cookie'), this.#cookieName) };
  }

  /** Credentials that are used stay known. */
  #recall(fingerprint: string): Account | undefined {
    const account = this.#known.person.get(fingerprint) ?? this.#known.agent.get(fingerprint);
    if (account) this.#remember(fingerprint, account);
    return account;
  }

  #remember(fingerprint: string, account: Account): void {
    const known = this.#known[account.kind];
    known.delete(fingerprint);
    known.set(fingerprint, account);
    if (known.size > maxKnown) known.delete(known.keys().next().value as string);
  }

  /** The credential is not valid. Only the response is left to send, and nobody else waits for its caller to read it. */
  #forget(fingerprint: string, place: Hold): void {
    this.#known.person.delete(fingerprint);
    this.#known.agent.delete(fingerprint);
    place.release();
  }
}

function tooFast({ rate }: RateLimit, seconds: number): ExecutorError {
  return new ExecutorError(
    'tooManyRequests',
    `This key made too many requests. The limit is ${rate.burst} at once and ${rate.perSecond} per second. Wait ${seconds} seconds.`,
    { details: { retryAfterSeconds: seconds } },
  );
}

function fingerprintOf({ scope, secrets }: ShownCredential): string {
  return createHash('sha256')
    .update([scope, ...secrets].join('\n'))
    .digest('base64url');
}

/** The address of a caller whose credential is not known. */
export function accountOfCaller(http: Context): Account {
  return accountOfAddress(http.env?.incoming?.socket?.remoteAddress ?? 'unknown');
}

const accountVariable = 'account';

/** The account of a request whose credential was valid. */
export function knownAccountOf(http: Context): Account | undefined {
  return http.get(accountVariable);
}
