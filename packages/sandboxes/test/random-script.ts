/**
 * Creates scripts that exercise replay: combinators over calls, timers, loops, errors, randomness and the clock. Each call carries
 * everything that the code has seen, so any difference in order or value appears in the next input.
 */
export function randomScript(seed: number): string {
  const random = seededRandom(seed);
  const statements = Array.from({ length: 3 + pick(random, 4) }, () => statement(random, 0));
  return `${head}\n${statements.join('\n')}\nawait call('last');\nreturn { seen, roll: Math.random(), now: Date.now() };`;
}

/** mulberry32. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const head = `const seen: unknown[] = [];
const call = async (name: string): Promise<number> => {
  try {
    const { v } = await tools.t[name]({ seen, roll: Math.random(), now: Date.now() });
    seen.push([name, v]);
    return v;
  } catch (error) {
    seen.push([name, error.message]);
    throw error;
  }
};
const quiet = (promise: Promise<unknown>) => promise.catch((error) => error.message);`;

type Random = () => number;

function pick(random: Random, count: number): number {
  return Math.floor(random() * count);
}

function statement(random: Random, depth: number): string {
  const kinds = [
    () => `seen.push(await quiet(${promise(random, depth)}));`,
    () => `try { seen.push(await ${promise(random, depth)}); } catch (error) { seen.push(error.message); }`,
    () => `for (let i = 0; i < ${1 + pick(random, 3)}; i++) { ${nested(random, depth)} }`,
    () => `if (Math.random() < 0.5) { ${nested(random, depth)} } else { ${nested(random, depth)} }`,
    () => `console.log('seen', seen.length, Math.random());`,
    () =>
      `setTimeout(() => seen.push('timer ' + Date.now()), ${pick(random, 50)}); await sleep(${pick(random, 50)});`,
    () =>
      `{ const t = setTimeout(() => seen.push('never'), 99); await quiet(${promise(random, depth)}); clearTimeout(t); }`,
    () => `seen.push(crypto.randomUUID(), new Date().toISOString());`,
    () => `for await (const x of [quiet(call('i')), quiet(call('j'))]) seen.push(x);`,
  ];
  return kinds[pick(random, kinds.length)]?.() ?? '';
}

function nested(random: Random, depth: number): string {
  return depth > 1 ? `seen.push(await quiet(${leaf(random)}));` : statement(random, depth + 1);
}

function promise(random: Random, depth: number): string {
  if (depth > 1) return leaf(random);
  const some = () => Array.from({ length: 2 + pick(random, 3) }, () => promise(random, depth + 1)).join(', ');
  const kinds = [
    () => leaf(random),
    () => `Promise.all([${some()}].map(quiet))`,
    () => `Promise.all([${some()}])`,
    () => `Promise.race([${some()}])`,
    () => `Promise.any([${some()}])`,
    () => `Promise.allSettled([${some()}]).then((all) => all.map((one) => one.status))`,
    () => `(async () => { ${nested(random, depth + 1)} return ${pick(random, 9)}; })()`,
    () => `${leaf(random)}.finally(() => seen.push('finally'))`,
  ];
  return kinds[pick(random, kinds.length)]?.() ?? leaf(random);
}

function leaf(random: Random): string {
  const name = 'abcdef'[pick(random, 6)];
  return random() < 0.2 ? `sleep(${pick(random, 100)})` : `call('${name}')`;
}
