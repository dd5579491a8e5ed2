/** All ports of a host share cookies, so the name identifies the installation. */
export function sessionCookieName(installationId: string): string {
  return `executor_session_${installationId.slice(-8)}`;
}

interface CookieOptions {
  expiresAt: Date;
  /** Only over TLS. */
  secure: boolean;
}

export function sessionCookie(name: string, value: string, { expiresAt, secure }: CookieOptions): string {
  const attributes = `Path=/v1; HttpOnly; SameSite=Strict; Expires=${expiresAt.toUTCString()}`;
  return `${name}=${value}; ${attributes}${secure ? '; Secure' : ''}`;
}

export function expiredSessionCookie(name: string): string {
  return `${name}=; Path=/v1; HttpOnly; SameSite=Strict; Max-Age=0`;
}
