/** A script for a run. `n` makes its keys unique. */
type Shape = (n: number) => string;

/**
 * The code of the runs in the chaos tests. The ending of each depends only on its keys, not on time, the order of answers, or the number
 * of rebuilds. Keys with `free` need no approval. The ledger and the person document the other words.
 */
const shapes: Shape[] = [
  (n) => `
    const first = await tools.ledger.read({ key: 'a${n}' });
    const others = await Promise.all([1, 2, 3, 4].map((i) => tools.ledger.read({ key: 'b${n}-' + i })));
    return [first.digest, ...others.map(({ digest }) => digest)];`,
  (n) => `
    const { digest } = await tools.ledger.read({ key: 'slow a${n}' });
    const written = await tools.ledger.write({ key: 'free slow ' + digest + '-${n}' });
    const after = await tools.ledger.read({ key: 'c${n}' });
    return { written, after: after.digest };`,
  (n) => `
    const keys = ['slow a${n}', 'b${n}', 'deny c${n}'];
    const outcomes = await Promise.all(keys.map((key) => tools.ledger.write({ key }).then(
      ({ digest }) => digest, (error) => error.name + (error instanceof ToolDeniedError ? '!' : '?'))));
    console.log('outcomes', outcomes.join());
    return outcomes;`,
  (n) => `
    const digests = [];
    for (let i = 0; i < 5; i++) {
      await sleep(150);
      console.log('round', i);
      digests.push((await tools.ledger.put({ key: 'free put ${n}-' + i })).digest);
    }
    return digests;`,
  (n) => `
    const outcome = async (call) => { try { return (await call).digest } catch (error) { return error.name } };
    const one = await outcome(tools.ledger.write({ key: 'free slow before ${n}' }));
    const two = await outcome(tools.ledger.write({ key: 'free slow after ${n}' }));
    const three = await outcome(tools.ledger.write({ key: 'free slow plain ${n}' }));
    return [one, two, three];`,
  (n) => `
    for (let i = 0; ; i++) {
      try { return (await tools.ledger.read({ key: 'flaky slow ${n}' })).digest }
      catch (error) { if (i > 50) throw error; await sleep(20) }
    }`,
  (n) => `
    const { digest } = await tools.ledger.put({ key: 'slow put ${n}' });
    await sleep(600);
    const gone = await tools.ledger.remove({ key: 'slow ' + digest + '-${n}' });
    return [digest, gone.digest];`,
  (n) => `
    const [known, timed] = await Promise.all([
      tools.ledger.consult({ key: 'known ${n}' }),
      new Promise((resolve) => setTimeout(() => resolve('timed'), 400)),
    ]);
    return [known.value, known.digest, timed];`,
  (n) => `
    const order = await tools.ledger.order({ key: 'order ${n}' });
    return [order.value, order.digest];`,
  (n) => `
    await tools.ledger.write({ key: 'free slow a${n}' });
    throw new RangeError('meant to fail ${n}');`,
  (n) => `
    const both = await Promise.all([1, 2].map(() => tools.ledger.write({ key: 'same ${n}' })));
    const third = await tools.ledger.write({ key: 'same ${n}' });
    return [...both, third].map(({ digest }) => digest);`,
  (n) => `
    let last = '';
    for (let i = 0; i < 8; i++) {
      last = (await tools.ledger.read({ key: 'slow ' + last + '-${n}-' + i })).digest;
      if (i % 3 === 2) last += (await tools.ledger.write({ key: 'free slow ' + last + '-${n}' })).digest;
    }
    return last;`,
  (n) => `
    const writes = Array.from({ length: 5 }, (_, i) => tools.ledger.write({ key: 'free slow ${n}-' + i }));
    const puts = Array.from({ length: 5 }, (_, i) => tools.ledger.put({ key: 'free slow put ${n}-' + i }));
    return (await Promise.all([...writes, ...puts])).map(({ digest }) => digest).join();`,
];

/** Scripts of all shapes in turn. */
export function chaosScripts(count: number): string[] {
  return Array.from({ length: count }, (_, n) => (shapes[n % shapes.length] as Shape)(n));
}
