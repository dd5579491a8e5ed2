/**
 * One error class for the whole product. The set of codes is closed: each code has one row below with its HTTP status and exit code, so
 * that nothing recognises an error by its text.
 */
interface ErrorRow {
  readonly http: number;
  readonly exit: number;
}

export const errorCodes = {
  invalidRequest: { http: 400, exit: 2 },
  unauthenticated: { http: 401, exit: 1 },
  nonceRequired: { http: 401, exit: 1 },
  forbidden: { http: 403, exit: 1 },
  notFound: { http: 404, exit: 1 },
  methodNotAllowed: { http: 405, exit: 1 },
  conflict: { http: 409, exit: 1 },
  gone: { http: 410, exit: 1 },
  payloadTooLarge: { http: 413, exit: 1 },
  unsupportedMediaType: { http: 415, exit: 1 },
  misdirectedRequest: { http: 421, exit: 1 },
  unusableDocument: { http: 422, exit: 1 },
  presenceRequired: { http: 403, exit: 1 },
  tooManyAttempts: { http: 429, exit: 1 },
  tooManyRequests: { http: 429, exit: 1 },
  tooManyStreams: { http: 429, exit: 1 },
  tooManyWaits: { http: 429, exit: 1 },
  quotaExceeded: { http: 429, exit: 1 },
  internal: { http: 500, exit: 1 },
  unreachable: { http: 502, exit: 1 },
  databaseUnavailable: { http: 503, exit: 1 },
  storageFull: { http: 507, exit: 1 },
  timeout: { http: 504, exit: 1 },
  invalidConfig: { http: 500, exit: 1 },
  folderUnusable: { http: 500, exit: 1 },
  alreadyRunning: { http: 500, exit: 1 },
  portInUse: { http: 500, exit: 1 },
  databaseLocked: { http: 500, exit: 1 },
  databaseTooNew: { http: 500, exit: 1 },
  databaseCorrupt: { http: 500, exit: 1 },
  leaseLost: { http: 500, exit: 1 },
  usage: { http: 400, exit: 2 },
  noServer: { http: 503, exit: 4 },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorCodes;

export class ExecutorError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ExecutorError';
    this.code = code;
    this.details = options.details;
  }

  static httpStatus(code: ErrorCode): number {
    return errorCodes[code].http;
  }

  static exitCode(code: ErrorCode): number {
    return errorCodes[code].exit;
  }
}

/** The only function that turns an unknown error into `internal`. */
export function toExecutorError(thrown: unknown): ExecutorError {
  if (thrown instanceof ExecutorError) return thrown;
  return new ExecutorError('internal', 'Something went wrong inside Executor. The log has the details.', {
    cause: thrown,
  });
}
