/** A script for a run. `n` makes its keys its own. */
type Shape = (n: number) => string;

/**
 * What the runs of the chaos tests do. How each ends depends on nothing but its keys: not on time, on the order of answers, or on how often
 * it was rebuilt. Keys with `free` need no approval; see the ledger and the person for the other words.
 */
const shapes: Shape[] = [
  (n) => `
    const first = await tools.ledger.read({ key: 'a${n}' });
    const rest = await Promise.all([1, 2, 3, 4].map((i) => tools.ledger.read({ key: 'b${n}-' + i })));
    return [first.digest, ...rest.map(({ digest }) => digest)];`,
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
    const lines = [];
    for (let i = 0; i < 5; i++) {
      await sleep(150);
      console.log('round', i);
      lines.push((await tools.ledger.put({ key: 'free put ${n}-' + i })).digest);
    }
    return lines;`,
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
    return [known.said, known.digest, timed];`,
  (n) => `
    const order = await tools.ledger.order({ key: 'order ${n}' });
    return [order.said, order.digest];`,
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

/** That many scripts, of all shapes. */
export function chaosScripts(count: number): string[] {
  return Array.from({ length: count }, (_, n) => (shapes[n % shapes.length] as Shape)(n));
}
