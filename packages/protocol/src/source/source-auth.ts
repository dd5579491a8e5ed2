import * as z from 'zod';

/** Sent in a header, where a line break would begin another header. */
const secret = z
  .string()
  .min(1)
  .max(20_000)
  .regex(/^[^\p{Cc}]*$/u, 'must be one line without control characters');
export const HeaderName = z
  .string()
  .max(200)
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header');

export const SchemeValue = z.union([
  secret,
  z.strictObject({ username: z.string().max(2_000), password: z.string().max(20_000) }),
]);
const headers = z.record(HeaderName, secret);
const named = z.record(z.string().min(1).max(200), secret);

/** Certificates or keys. */
export const Pem = z
  .string()
  .max(100_000)
  .regex(/-----BEGIN [A-Z0-9 ]+-----/, 'must be PEM: text with a line -----BEGIN …-----');

/** Used in the TLS handshake only, never in a request. */
export const ClientCertificate = z
  .strictObject({
    certificate: Pem.describe('The certificate, followed by its chain'),
    key: Pem.describe('Its private key'),
    passphrase: z.string().min(1).max(2_000).optional().describe('Passphrase of an encrypted key'),
  })
  .meta({ id: 'ClientCertificate' });
export type ClientCertificate = z.infer<typeof ClientCertificate>;

/** Credentials whose single values and certificate have these types. */
export const authWith = <Value extends z.ZodType, Certificate extends z.ZodType>(
  value: Value,
  certificateValue: Certificate,
) => {
  const certificate = certificateValue
    .optional()
    .describe('A client certificate for each call, in addition to other credentials');
  return z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('none') }),
    z.strictObject({ type: z.literal('bearer'), token: secret, certificate }),
    z.strictObject({
      type: z.literal('basic'),
      username: z.string().max(2_000),
      password: z.string().max(20_000),
      certificate,
    }),
    z.strictObject({
      type: z.literal('apiKey'),
      in: z.enum(['header', 'query', 'cookie']),
      name: z.string().min(1).max(200),
      value: secret,
      certificate,
    }),
    z.strictObject({ type: z.literal('headers'), headers, certificate }),
    z.strictObject({
      type: z.literal('schemes'),
      schemes: z
        .record(z.string(), value)
        .describe(
          'By the name of the security scheme in the document: a token or key, or a user name and password',
        ),
      headers: headers.optional().describe('Headers to send with each call in addition'),
      query: named.optional().describe('Query parameters to send with each call in addition'),
      cookies: named.optional().describe('Cookies to send with each call in addition'),
      certificate,
    }),
  ]);
};

/** Static credentials. Responses never contain them. */
export const SourceAuth = authWith(SchemeValue, ClientCertificate).meta({ id: 'SourceAuth' });
export type SourceAuth = z.infer<typeof SourceAuth>;
