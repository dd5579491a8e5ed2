import * as z from 'zod';
import { type ErrorCode, ExecutorError, errorCodes } from './error.ts';

/** The body of every failed response. */
export const ErrorBody = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  })
  .meta({ id: 'Error' });
export type ErrorBody = z.infer<typeof ErrorBody>;

export function toErrorBody(error: ExecutorError): ErrorBody {
  return {
    error: { code: error.code, message: error.message, ...(error.details && { details: error.details }) },
  };
}

export function fromErrorBody(body: ErrorBody): ExecutorError {
  const { code, message, details } = body.error;
  return new ExecutorError(code, message, details ? { details } : {});
}
