import { RequestError } from '../../../call/request-error.ts';
import { isOverrideField } from './method-override.ts';
import { groupBy, type SentName } from './sent-names.ts';
import { folded, isPrefix, looksLike, readingsOf, segmentsOf, simplified } from './similar-names.ts';

export interface RequestNames {
  /** With a value in this request. */
  sent: readonly SentName[];
  /** Of all input fields, with a value or not. */
  declared: readonly SentName[];
  /** Of the credentials, which are added later. */
  credentials: readonly SentName[];
}

/** Far more than a URL or a form of a real call has. */
const maxChosenNames = 1_000;

/**
 * Refuses a request in which a server could read another value for a parameter than the rules and the reviewer did. A name that the
 * document declares must not be sent twice. A name that the caller chose must not be like any declared or constant one.
 */
export function checkNames({ sent, declared, credentials }: RequestNames): void {
  const chosen = sent.filter(({ isChosen }) => isChosen);
  const override = chosen.find(({ name }) => isOverrideField(simplified(name)));
  if (override) throw overridesMethod(override);
  const all = [...sent, ...declared, ...credentials];
  checkJson(all);
  checkChosen(chosen, all);
  checkFixed(
    sent.filter((one) => !one.isChosen && one.in !== 'json'),
    credentials,
  );
}

/**
 * Many servers merge the query with the fields of a form or of a JSON body. In JSON, Go ignores case. A JSON body may repeat a parameter
 * of the path, because clients often send a whole object back.
 */
function checkJson(all: readonly SentName[]): void {
  const fields = all.filter((one) => one.in === 'json');
  if (fields.length === 0) return;
  const merged = all.filter((one) => one.in !== 'cookie' && one.in !== 'path');
  const byKey = groupBy(
    merged.flatMap((one) => jsonKeysOf(one).map((key) => ({ one, key }))),
    ({ key }) => key,
  );
  for (const field of fields) {
    const other = byKey
      .get(folded(field.name))
      ?.find(({ one }) => (one.isChosen || field.isChosen) && !isSameField(one, field));
    if (other) throw collision(field, other.one);
  }
}

/** The keys of a JSON body that a server could read as the same parameter. */
function jsonKeysOf(one: SentName): string[] {
  if (one.in === 'json') return [folded(one.name)];
  const { plain, underscored } = readingsOf(one.name);
  return [...new Set([plain[0] ?? '', underscored[0] ?? ''])];
}

function checkChosen(chosen: readonly SentName[], all: readonly SentName[]): void {
  const others = all
    .filter((one) => one.in !== 'json')
    .map((one) => ({ one, readings: readingsOf(one.name) }));
  const mine = chosen.filter((one) => one.in !== 'json');
  if (mine.length > maxChosenNames)
    throw new RequestError(
      `The input names ${mine.length} parameters of its own; the limit is ${maxChosenNames}. Send fewer in one call.`,
    );
  for (const one of mine) {
    const readings = readingsOf(one.name);
    const other = others.find(
      (candidate) =>
        (one.in === 'cookie') === (candidate.one.in === 'cookie') &&
        looksLike(readings, candidate.readings) &&
        !isSameField(one, candidate.one),
    );
    if (other) throw collision(one, other.one);
  }
}

function checkFixed(fixed: readonly SentName[], credentials: readonly SentName[]): void {
  const keyOf = ({ in: location, name }: SentName) => `${location} ${segmentsOf(name)[0]}`;
  const added = groupBy(credentials, keyOf);
  for (const [key, group] of groupBy(fixed, keyOf)) {
    for (const [index, one] of group.entries()) {
      const other =
        group.slice(index + 1).find((candidate) => isRepeated(one, candidate)) ??
        added.get(key)?.find((candidate) => isRepeated(one, candidate) && !isReplaced(one, candidate));
      if (other) throw collision(one, other);
    }
  }
}

/** Servers that pass headers as variables (CGI, WSGI, PHP) read `X_Owner` as `X-Owner`. */
export function checkHeaderNames(names: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const name of new Set(names.map((one) => one.toLowerCase()))) {
    const other = seen.get(name.replaceAll('_', '-'));
    if (other !== undefined)
      throw new RequestError(
        `The headers ${name} and ${other} are the same for many servers. Send only one of them.`,
      );
    seen.set(name.replaceAll('_', '-'), name);
  }
}

/** A field's own name is never sent beside the keys of its value. */
function isSameField(one: SentName, other: SentName): boolean {
  if (one.origin === other.origin) return true;
  return one.field !== undefined && one.field === other.field && !other.isChosen;
}

function isRepeated(one: SentName, other: SentName): boolean {
  if (one.origin === other.origin) return false;
  if (one.pair !== undefined && one.pair === other.pair) return false;
  return isPrefix(segmentsOf(one.name), segmentsOf(other.name));
}

/** A credential in the query replaces a parameter with exactly its name. */
function isReplaced(one: SentName, credential: SentName): boolean {
  return one.in === 'query' && one.name === credential.name;
}

function collision(one: SentName, other: SentName): RequestError {
  const names = one.name === other.name ? shown(one.name) : `${shown(one.name)} and ${shown(other.name)}`;
  return new RequestError(
    `${shownOrigin(one)} and ${shownOrigin(other)} would name the same parameter of the request (${names}), so a server could use another value than the one that was checked. ${adviceFor(one, other)}`,
  );
}

function adviceFor(one: SentName, other: SentName): string {
  const [fixed, ...more] = [one, other].filter(({ isChosen }) => !isChosen);
  const constant = [one, other].find(({ field, isChosen }) => field === undefined && !isChosen);
  if (constant) return `Leave ${shownOrigin(constant === one ? other : one)} out.`;
  return fixed && more.length === 0 ? `Use ${shownOrigin(fixed)} instead.` : 'Use only one of them.';
}

function overridesMethod({ name, ...sent }: SentName): RequestError {
  return new RequestError(
    `${shownOrigin({ name, ...sent })} would send ${shown(name)}, with which many servers replace the method of the request. Leave it out.`,
  );
}

function shownOrigin({ origin }: SentName): string {
  return origin.length > 100 ? `${origin.slice(0, 99)}…` : origin;
}

function shown(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 99)}…` : name);
}
