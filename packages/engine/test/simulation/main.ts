import { simulate } from './simulate.ts';

const [first = '1', count = '1', verbose] = process.argv.slice(2);
const begun = performance.now();
const found = new Map<string, number[]>();
const sums = { steps: 0, runs: 0, compared: 0 };
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  const report = await simulate(seed, { traced: verbose !== undefined });
  sums.steps += report.steps;
  sums.runs += report.runs;
  sums.compared += report.compared;
  if (verbose) console.log(report.trace.join('\n'));
  if (!report.violation) continue;
  const key = report.violation.message.replaceAll(/(int_\w+|exe_[\d_]+|p\d+|\d+)/g, '#').slice(0, 150);
  found.set(key, [...(found.get(key) ?? []), seed]);
  if (verbose) console.log(report.violation.message);
}
for (const [key, seeds] of [...found].sort((a, b) => b[1].length - a[1].length))
  console.log(seeds.length, key, seeds.slice(0, 5).join(' '));
const seconds = (performance.now() - begun) / 1000;
console.log(sums, `${(Number(count) / seconds).toFixed(0)} schedules/s`);
