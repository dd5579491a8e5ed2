import { chromium, type Page } from 'playwright-core';
import { ensureBrowser } from '../scripts/setup-browser.ts';
import type { Daemon } from './daemon.ts';
import type { Figure } from './figure.ts';
import { percentile } from './statistics.ts';

const rounds = 20;

/**
 * Measures how long an approval takes to appear on an open page in a real browser, and how long its answer takes to
 * reach the run.
 */
export async function measurePage(daemon: Daemon): Promise<Figure[]> {
  const client = daemon.client();
  daemon.executor('policy', 'add', 'executor.artifacts.put', 'requireApproval');
  const browser = await chromium.launch({
    executablePath: await ensureBrowser(),
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-gpu'],
  });
  try {
    const page = await browser.newPage();
    const { url } = await client.sessions.createLink();
    await page.goto(url);
    await page.getByRole('navigation').waitFor();
    const shown: number[] = [];
    const answered: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await page.goto(`${new URL(url).origin}/approvals`);
      await page.getByText('Nothing waits for you').waitFor();
      const appeared = untilShown(page, `marker-${round}`);
      const code = `return tools.executor.artifacts.put({ text: "marker-${round}" })`;
      const { id } = await client.executions.create({ code, waitMs: 20_000 });
      const { items } = await client.interactions.list({ executionId: id, status: 'pending' });
      shown.push((await appeared) - Date.parse(items[0]?.createdAt ?? ''));
      await page
        .getByRole('list', { name: 'Waiting for an answer' })
        .getByRole('listitem')
        .getByRole('link')
        .first()
        .click();
      const clicked = page.evaluate(
        () => new Promise<number>((resolve) => addEventListener('click', () => resolve(Date.now()))),
      );
      await page.getByRole('button', { name: 'Approve once' }).click();
      const { finishedAt = '' } = await client.executions.wait({ id, waitMs: 20_000 });
      answered.push(Date.parse(finishedAt) - (await clicked));
    }
    return [
      ...rows('an approval appears in an open page', shown),
      ...rows('the run has gone on after the click', answered),
    ];
  } finally {
    await browser.close();
  }
}

function rows(name: string, times: number[]): Figure[] {
  return [50, 95].map((percent) => {
    return { name: `${name}, p${percent}`, value: percentile(times, percent), unit: 'ms', target: 300 };
  });
}

function untilShown(page: Page, text: string): Promise<number> {
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        // A named function does not work in the page, because the compiled code would call a helper that exists only
        // here.
        const timer = setInterval(() => {
          if (!document.body.textContent?.includes(wanted)) return;
          clearInterval(timer);
          resolve(Date.now());
        }, 5);
      }),
    text,
  );
}
