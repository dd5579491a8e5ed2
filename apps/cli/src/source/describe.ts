import { printable, type Source } from '@executor/protocol';
import { oneLine } from '../output.ts';
import { style } from '../style.ts';
import { unseenText } from './difference.ts';

const shownWarnings = 5;

/** A summary of a source for a user who wants to call its tools. */
export function sourceLines(source: Source): string[] {
  const { warnings, warningCount, unseenCount, suggestionCount, namespace } = source;
  return [
    ...(hasNoServer(source) ? [] : [row('calls go to', callsText(source))]),
    row('credentials', credentialText(source)),
    ...networkRow(source),
    ...(unseenCount > 0 ? [row('new', unseenText(source))] : []),
    ...(suggestionCount > 0
      ? [
          row(
            'suggestions',
            `${suggestionText(source)}: executor tools ls ${namespace} --only suggested, then executor sources edit ${namespace} --accept-suggestions`,
          ),
        ]
      : []),
    ...(warningCount > 0 ? [row('warnings', `${warningCount}`)] : []),
    ...warnings.slice(0, shownWarnings).map(({ place, message }) => warningLine(place, message)),
    ...(warningCount > shownWarnings ? [`    … executor sources show ${namespace} lists more`] : []),
  ];
}

/** The remedy is at the end of the message, so the limit leaves room for it. */
export function warningLine(place: string, message: string): string {
  // A warning about the whole document has no location.
  const where = place === '' ? '' : `${oneLine(place, 120)}: `;
  return `    ${where}${oneLine(message, 400)}`;
}

function suggestionText({ kind, suggestionCount: count }: Source): string {
  if (kind === 'mcp')
    return count === 1
      ? '1 tool says that it only reads or can safely be called twice'
      : `${count} tools say that they only read or can safely be called twice`;
  return count === 1
    ? '1 tool has a suggested effect that is weaker than its method'
    : `${count} tools have a suggested effect that is weaker than their method`;
}

function networkRow({ settings }: Source): string[] {
  if (settings.allowPrivateNetwork === true)
    return [row('network', 'calls may reach this machine and private networks')];
  return settings.allowThisMachine === true ? [row('network', 'calls may reach this machine')] : [];
}

/** Whether calls go to no server: the system has no URL, and no document that could name one. */
export function hasNoServer({ baseUrl, origins, document }: Source): boolean {
  return document === undefined && baseUrl === undefined && origins.length === 0;
}

const shownOrigins = 10;

/** All hosts that receive calls and the credentials. */
function callsText({ baseUrl, origins }: Source): string {
  const base = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).origin : undefined;
  const others = origins.filter((origin) => origin !== base);
  if (baseUrl === undefined && others.length === 0)
    return 'no server, because the document names none. Set one with --base-url';
  const more = others.length > shownOrigins ? `, and ${others.length - shownOrigins} more` : '';
  const list = [baseUrl ?? [], others.slice(0, shownOrigins)].flat().map(printable);
  return `${list.join(', ')}${more}`;
}

export function row(name: string, value: string): string {
  return `  ${style.dim(name.padEnd(12))} ${value}`;
}

/** Which credentials are set, which the document asks for, and how to set the missing ones. */
function credentialText(source: Source): string {
  const { kind, auth, security } = source;
  const set = setText(auth);
  if (security.length === 0 && auth.type !== 'none') return set;
  // Only these documents can ask for credentials.
  if (security.length === 0)
    return kind === 'openapi' || kind === 'google' ? 'none set, and the document asks for none' : 'none set';
  const command = credentialCommand(source);
  if (command === undefined) return set;
  const names = missingSchemes(source)
    .map((scheme) => `${printable(String(scheme.name))} (${schemeText(scheme)})`)
    .join(', ');
  const state = auth.type === 'none' ? 'none set. The document declares' : `${set}. Also declared:`;
  return `${state} ${names}. Set them: ${command}`;
}

/** The command that sets the first of the missing credentials; undefined if none are missing. */
export function credentialCommand(source: Source): string | undefined {
  const { auth, namespace } = source;
  const [first] = missingSchemes(source).toSorted(
    (one, other) => Number(isCertificate(one)) - Number(isCertificate(other)),
  );
  if (first === undefined) return undefined;
  return `executor sources edit ${namespace} ${optionFor(first, auth.type === 'none')}`;
}

function missingSchemes({ auth, security }: Source): Source['security'] {
  return security.filter(
    ({ name, type }) =>
      auth.type === 'none' ||
      (type === 'mutualTls' ? auth.certificate === undefined : isUnset(String(name), auth)),
  );
}

function isUnset(scheme: string, { type, schemes = [] }: Source['auth']): boolean {
  return type === 'schemes' && !schemes.includes(scheme);
}

function isCertificate({ type }: Source['security'][number]): boolean {
  return type === 'mutualTls';
}

function setText(auth: Source['auth']): string {
  const beside = [...(auth.schemes ?? []), ...besideText(auth)].map(printable).join(', ');
  if (auth.type === 'schemes') return `set for ${beside}`;
  return `set (${auth.type})${beside === '' ? '' : `, and ${beside}`}`;
}

function besideText({ headers = [], query = [], cookies = [], certificate }: Source['auth']): string[] {
  return [
    ...headers.map((name) => `the header ${name}`),
    ...query.map((name) => `the query parameter ${name}`),
    ...cookies.map((name) => `the cookie ${name}`),
    ...(certificate
      ? [`the client certificate of ${certificate.subject}, valid until ${certificate.validTo.slice(0, 10)}`]
      : []),
  ];
}

type Scheme = Source['security'][number] | undefined;

function schemeText(scheme: Scheme): string {
  switch (scheme?.type) {
    case 'apiKey':
      return `key in ${scheme.in}`;
    case 'http':
      return `HTTP ${printable(String(scheme.scheme))}`;
    case 'oauth2':
      return 'OAuth 2 token';
    case 'openIdConnect':
      return 'OpenID token';
    case 'mutualTls':
      return 'client certificate';
    default:
      return printable(String(scheme?.type));
  }
}

/** Setting a scheme by name keeps the credentials that are already set. */
function optionFor(scheme: Scheme, isFirst: boolean): string {
  if (scheme?.type === 'mutualTls') return '--client-certificate FILE --client-key FILE';
  if (!isFirst) return `--scheme ${printable(String(scheme?.name))}`;
  if (scheme?.type === 'apiKey') return `--api-key ${scheme.in}:${printable(String(scheme.key))}`;
  return scheme?.type === 'http' && /^basic$/i.test(String(scheme.scheme)) ? '--basic' : '--bearer';
}
