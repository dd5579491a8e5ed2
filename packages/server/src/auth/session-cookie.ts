/** Cookies are shared by all ports of a host: the name tells one installation's from another's. */
export function sessionCookieName(installationId: string): string {
  return `executor_session_${installationId.slice(-8)}`;
}

export function sessionCookie(name: string, value: string, expiresAt: Date): string {
  return `${name}=${value}; Path=/v1; HttpOnly; SameSite=Strict; Expires=${expiresAt.toUTCString()}`;
}

export function expiredSessionCookie(name: string): string {
  return `${name}=; Path=/v1; HttpOnly; SameSite=Strict; Max-Age=0`;
}
