// Replaces a service worker that another program left behind on this port, and removes itself.
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(remove()));

async function remove() {
  const pages = await clients.matchAll({ type: 'window' });
  await registration.unregister();
  for (const page of pages) await page.navigate(page.url);
}
