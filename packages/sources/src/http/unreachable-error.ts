import { isLinkLocalAddress } from '@executor/engine';

/** Why there is no answer. */
export type UnreachableCode =
  | 'connectionRefused'
  | 'nameNotFound'
  | 'networkDown'
  | 'tls'
  | 'untrustedServer'
  | 'clientCertificate'
  | 'reset'
  | 'timeout'
  | 'notHttp'
  | 'badEncoding'
  | 'headersTooLarge'
  | 'tooManyRedirects'
  | 'insecureRedirect'
  | 'invalidRequest'
  | 'privateAddress';

/** A request without an answer, or with one that broke off. */
export class UnreachableError extends Error {
  readonly code: UnreachableCode;
  /** Whether the other side may have got the request. */
  readonly mayHaveArrived: boolean;
  /** Which name led to which address, where that is what is wrong. */
  readonly refused: { host: string; address: string } | undefined;

  constructor(
    code: UnreachableCode,
    message: string,
    options: { cause?: unknown; mayHaveArrived?: boolean; refused?: { host: string; address: string } } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'UnreachableError';
    this.code = code;
    this.mayHaveArrived = options.mayHaveArrived ?? false;
    this.refused = options.refused;
  }
}

/** A host that leads to an address which may not be reached, and what a person does about it. */
export function refusedAddress(host: string, address: string): UnreachableError {
  const refused = { host, address };
  return new UnreachableError('privateAddress', privateAddressSentence(refused, 'NS'), { refused });
}

export function privateAddressSentence(
  { host, address }: { host: string; address: string },
  namespace: string,
): string {
  const leads =
    host === address
      ? `${address} is not on the public internet`
      : `${host} leads to ${address}, not to the public internet`;
  if (isLinkLocalAddress(address))
    return `${leads}: it is on the link of this machine, where clouds keep its credentials. It is reached only where a person gives the source that very address, with --allow-private-network.`;
  return `${leads}, and nobody allowed that: a person does with executor sources edit ${namespace} --allow-private-network.`;
}

/** What the network reported before there was a connection: nothing was sent yet. */
export function whileConnecting(thrown: unknown, host: string): UnreachableError {
  return describe(thrown, host, 'connecting');
}

/** What it reported on a connection on which nothing was answered yet: whoever refuses a certificate there has read no request. */
export function beforeAnyAnswer(thrown: unknown, host: string): UnreachableError {
  return describe(thrown, host, 'unanswered');
}

/** What the network reported, in a sentence. The same codes come before and after a request was sent, so that counts as sent. */
export function toUnreachable(thrown: unknown, host: string): UnreachableError {
  return describe(thrown, host, 'answering');
}

type Stage = 'connecting' | 'unanswered' | 'answering';

function describe(thrown: unknown, host: string, stage: Stage): UnreachableError {
  const chain = causes(thrown);
  const known = chain.find((error): error is UnreachableError => error instanceof UnreachableError);
  if (known) return known;
  for (const error of chain) {
    const row = rows.find(
      ({ codes, after }) => codes.test(codeOf(error)) && !(after && stage === 'connecting'),
    );
    if (row === undefined) continue;
    const { code, unread = ['connecting'], sentence } = row;
    const mayHaveArrived = !unread.includes(stage);
    return new UnreachableError(code, sentence(host, reasonOf(error)), { cause: thrown, mayHaveArrived });
  }
  const message = `The request to ${host} failed: ${reasonOf(chain[0])}.`;
  return new UnreachableError('reset', message, { cause: thrown, mayHaveArrived: stage !== 'connecting' });
}

interface Row {
  codes: RegExp;
  code: UnreachableCode;
  /** Where it is about a request that was sent. */
  after?: true;
  /** When it means that nothing of the request was read; that is before there was a connection, if no more is known. */
  unread?: Stage[];
  sentence(host: string, reason: string): string;
}

const rows: Row[] = [
  {
    codes: /^ECONNREFUSED$/,
    code: 'connectionRefused',
    sentence: (host) => `Nobody answers at ${host}: the connection was refused.`,
  },
  {
    codes: /^ENOTFOUND$/,
    code: 'nameNotFound',
    sentence: (host) => `There is no host ${host}: the name was not found.`,
  },
  {
    codes: /^EAI_/,
    code: 'nameNotFound',
    sentence: (host) => `The name ${host} could not be looked up; is this machine online?`,
  },
  {
    codes: /^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENETDOWN)$/,
    code: 'networkDown',
    sentence: (host) => `There is no way to ${host} from this machine's networks.`,
  },
  {
    codes: /^(UND_ERR_(HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/,
    code: 'timeout',
    after: true,
    sentence: (host) => `${host} took the request, and then sent nothing for too long.`,
  },
  {
    codes: /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/,
    code: 'timeout',
    sentence: (host) => `${host} did not take the connection in time.`,
  },
  {
    codes: /^(UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/,
    code: 'headersTooLarge',
    sentence: (host) => `${host} answered with more headers than are read.`,
  },
  {
    codes: /^(HPE_|UND_ERR_RES_CONTENT_LENGTH)/,
    code: 'notHttp',
    sentence: (host, reason) => `What ${host} answered is no valid HTTP: ${reason}.`,
  },
  {
    codes: /^(Z_|ERR__ERROR_|ERR_BROTLI|ERR_PADDING)/,
    code: 'badEncoding',
    sentence: (host, reason) => `What ${host} answered could not be decompressed: ${reason}.`,
  },
  {
    // The request may have left already: since TLS 1.3 the other side looks at certificates when this one is done.
    codes: /ALERT_(NO_|BAD_|UNSUPPORTED_)?CERTIFICATE|ALERT_(HANDSHAKE_FAILURE|UNKNOWN_CA|ACCESS_DENIED)/,
    code: 'clientCertificate',
    unread: ['connecting', 'unanswered'],
    sentence: (host, reason) =>
      `${host} refused the secure connection and said "${alertOf(reason)}": most likely it asks for a client certificate, or for another one than it was shown.`,
  },
  {
    codes: /^(UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)|SELF_SIGNED_|DEPTH_ZERO_SELF)/,
    code: 'untrustedServer',
    sentence: (host, reason) =>
      `Nobody who is trusted vouches for ${host}: ${reason}. A person says whom to trust for a source: --server-ca FILE.`,
  },
  {
    codes: /CERT|^ERR_TLS|^ERR_(SSL|OSSL)_|^EPROTO$|UNABLE_TO_|CRL_|^HOSTNAME_MISMATCH$/,
    code: 'tls',
    sentence: (host, reason) => `No secure connection to ${host}: ${reason}.`,
  },
  {
    codes: /^UND_ERR_(INVALID_ARG|NOT_SUPPORTED)|^ERR_INVALID_|^UND_ERR_REQ_CONTENT_LENGTH/,
    code: 'invalidRequest',
    unread: ['connecting', 'unanswered', 'answering'],
    sentence: (host, reason) => `The request to ${host} cannot be sent: ${reason}.`,
  },
  {
    codes: /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_INFO|UND_ERR_ABORTED|ERR_STREAM_PREMATURE_CLOSE)$/,
    code: 'reset',
    sentence: (host) => `${host} closed the connection before the answer was complete.`,
  },
];

/** Of the name that the library of encryption gives an alert, what it says. */
function alertOf(reason: string): string {
  return /alert ([a-z ]+)/.exec(reason)?.[1] ?? reason;
}

function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (typeof code === 'string') return code;
  return name === 'HTTPParserError' ? 'HPE_UNKNOWN' : '';
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error && error.message !== '' ? error.message : codeOf(error);
  return text.replace(/[\s.]+$/, '').slice(0, 300);
}

/** An error, what it says it was caused by, and what it is made of. */
function causes(thrown: unknown, depth = 0): unknown[] {
  if (typeof thrown !== 'object' || thrown === null || depth > 5)
    return depth === 0 ? [new Error(String(thrown))] : [];
  const { cause, errors } = thrown as { cause?: unknown; errors?: unknown };
  const parts = Array.isArray(errors) ? errors.slice(0, 5) : [];
  return [thrown, ...[...parts, cause].flatMap((part) => causes(part, depth + 1))];
}
