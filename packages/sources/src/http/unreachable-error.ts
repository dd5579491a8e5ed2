import { isLinkLocalAddress } from '@executor/engine';

/** Why there is no response. */
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

/** A request without a complete response. */
export class UnreachableError extends Error {
  readonly code: UnreachableCode;
  /** Whether the server may have received the request. */
  readonly mayHaveArrived: boolean;
  /** The name and the forbidden address it resolved to, if that is the error. */
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

/** The error for a host that resolves to a forbidden address, with the command that allows it. */
export function refusedAddress(host: string, address: string): UnreachableError {
  const refused = { host, address };
  return new UnreachableError('privateAddress', privateAddressSentence(refused, 'NS'), { refused });
}

export function privateAddressSentence(
  { host, address }: { host: string; address: string },
  namespace: string,
): string {
  const reason =
    host === address
      ? `${address} is not on the public internet`
      : `${host} resolves to ${address}, which is not on the public internet`;
  if (isLinkLocalAddress(address))
    return `${reason}. Clouds serve the credentials of a machine at such an address. To reach it, add the source with exactly this address and --allow-private-network.`;
  return `${reason}. Private networks are not allowed for this source. To allow them, run: executor sources edit ${namespace} --allow-private-network`;
}

/** A network error before the connection was open: nothing was sent. */
export function whileConnecting(thrown: unknown, host: string): UnreachableError {
  return describe(thrown, host, 'connecting');
}

/** A network error on a connection without any response yet: a server that rejects the certificate has not read the request. */
export function beforeAnyResponse(thrown: unknown, host: string): UnreachableError {
  return describe(thrown, host, 'noResponse');
}

/** A network error as a sentence. The same codes occur before and after a request was sent, so the request counts as sent. */
export function toUnreachable(thrown: unknown, host: string): UnreachableError {
  return describe(thrown, host, 'requestSent');
}

type Stage = 'connecting' | 'noResponse' | 'requestSent';

function describe(thrown: unknown, host: string, stage: Stage): UnreachableError {
  const chain = causes(thrown);
  const described = chain.find((error): error is UnreachableError => error instanceof UnreachableError);
  if (described) return described;
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
  /** The wording for a request that was sent. */
  after?: true;
  /** When the error means that the server read nothing. Default: before the connection was open. */
  unread?: Stage[];
  sentence(host: string, reason: string): string;
}

const rows: Row[] = [
  {
    codes: /^ECONNREFUSED$/,
    code: 'connectionRefused',
    sentence: (host) => `${host} refused the connection. Check that the server is running.`,
  },
  {
    codes: /^ENOTFOUND$/,
    code: 'nameNotFound',
    sentence: (host) => `The host name ${host} was not found. Check the URL.`,
  },
  {
    codes: /^EAI_/,
    code: 'nameNotFound',
    sentence: (host) => `The host name ${host} could not be resolved. Check that this machine is online.`,
  },
  {
    codes: /^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENETDOWN)$/,
    code: 'networkDown',
    sentence: (host) => `This machine's networks have no route to ${host}. Check the network connection.`,
  },
  {
    codes: /^(UND_ERR_(HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/,
    code: 'timeout',
    after: true,
    sentence: (host) => `${host} accepted the request and then timed out. Try again later.`,
  },
  {
    codes: /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/,
    code: 'timeout',
    sentence: (host) => `Connecting to ${host} timed out. Check that this machine can reach the server.`,
  },
  {
    codes: /^(UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/,
    code: 'headersTooLarge',
    sentence: (host) => `The response headers of ${host} are too large.`,
  },
  {
    codes: /^(HPE_|UND_ERR_RES_CONTENT_LENGTH)/,
    code: 'notHttp',
    sentence: (host, reason) =>
      `The response of ${host} is not valid HTTP: ${reason}. Check the port and the scheme of the URL.`,
  },
  {
    codes: /^(Z_|ERR__ERROR_|ERR_BROTLI|ERR_PADDING)/,
    code: 'badEncoding',
    sentence: (host, reason) => `The response of ${host} could not be decompressed: ${reason}.`,
  },
  {
    // The request may already be sent: in TLS 1.3 the server checks the client certificate after the client has finished.
    codes: /ALERT_(NO_|BAD_|UNSUPPORTED_)?CERTIFICATE|ALERT_(HANDSHAKE_FAILURE|UNKNOWN_CA|ACCESS_DENIED)/,
    code: 'clientCertificate',
    unread: ['connecting', 'noResponse'],
    sentence: (host, reason) =>
      `${host} rejected the TLS connection with "${alertOf(reason)}". It probably requires a client certificate, or another one.`,
  },
  {
    codes: /^(UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)|SELF_SIGNED_|DEPTH_ZERO_SELF)/,
    code: 'untrustedServer',
    sentence: (host, reason) =>
      `The certificate of ${host} is not trusted: ${reason}. To trust its authority for this source, use --server-ca FILE.`,
  },
  {
    codes: /CERT|^ERR_TLS|^ERR_(SSL|OSSL)_|^EPROTO$|UNABLE_TO_|CRL_|^HOSTNAME_MISMATCH$/,
    code: 'tls',
    sentence: (host, reason) =>
      `The TLS connection to ${host} failed: ${reason}. Check that the URL and the server's certificate are right.`,
  },
  {
    codes: /^UND_ERR_(INVALID_ARG|NOT_SUPPORTED)|^ERR_INVALID_|^UND_ERR_REQ_CONTENT_LENGTH/,
    code: 'invalidRequest',
    unread: ['connecting', 'noResponse', 'requestSent'],
    sentence: (host, reason) => `The request to ${host} cannot be sent: ${reason}.`,
  },
  {
    codes: /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_INFO|UND_ERR_ABORTED|ERR_STREAM_PREMATURE_CLOSE)$/,
    code: 'reset',
    sentence: (host) => `${host} closed the connection before the response was complete.`,
  },
];

/** The text of a TLS alert, from OpenSSL's name for it. */
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

/** An error with its causes and the errors that it aggregates. */
function causes(thrown: unknown, depth = 0): unknown[] {
  if (typeof thrown !== 'object' || thrown === null || depth > 5)
    return depth === 0 ? [new Error(String(thrown))] : [];
  const { cause, errors } = thrown as { cause?: unknown; errors?: unknown };
  const parts = Array.isArray(errors) ? errors.slice(0, 5) : [];
  return [thrown, ...[...parts, cause].flatMap((part) => causes(part, depth + 1))];
}
