/**
 * Executor has no service workers. One that exists was left behind by a program that had the port before, and could answer in the name of
 * Executor.
 */
export async function removeServiceWorkers(): Promise<void> {
  const registrations = (await navigator.serviceWorker?.getRegistrations().catch(() => [])) ?? [];
  await Promise.all(registrations.map((registration) => registration.unregister()));
}
