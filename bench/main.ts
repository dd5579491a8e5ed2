import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { areas } from './areas.ts';
import { type Figure, table } from './figure.ts';

/**
 * `npm run bench [AREA [-- ARGUMENTS]]` measures, prints each figure with its baseline, and writes
 * bench/results/AREA.json.
 */
const wanted = process.argv[2];
if (wanted !== undefined && !(wanted in areas)) {
  console.error(`There is no bench area "${wanted}". Areas: ${Object.keys(areas).join(', ')}.`);
  process.exit(2);
}

for (const [area, measure] of Object.entries(areas)) {
  if (wanted !== undefined && area !== wanted) continue;
  console.log(`\n${area}: measuring…`);
  const figures = await measure(process.argv.slice(3));
  console.log(table(figures));
  await save(area, figures);
}

async function save(area: string, figures: Figure[]): Promise<void> {
  const folder = new URL('./results/', import.meta.url);
  await mkdir(folder, { recursive: true });
  const machine = {
    node: process.version,
    platform: process.platform,
    cores: cpus().length,
    cpu: cpus()[0]?.model,
  };
  await writeFile(
    new URL(`${area}.json`, folder),
    `${JSON.stringify({ area, machine, figures }, null, 2)}\n`,
  );
  console.log(`written to bench/results/${area}.json`);
}
