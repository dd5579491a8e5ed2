import { fileURLToPath } from 'node:url';

/**
 * Runs command lines one after the other in one process and prints what each of them printed and ended with. Each evaluates the built
 * program anew; only the modules that it loads, and Node itself, are there already.
 */
const program = new URL('../dist/main.js', import.meta.url);
const [node] = process.argv;
const print = process.stdout.write.bind(process.stdout);
const outcomes = [];

for (const [index, args] of JSON.parse(process.argv[2]).entries()) {
  const outcome = { code: null, stdout: '', stderr: '' };
  outcomes.push(outcome);
  for (const name of ['stdout', 'stderr']) process[name].write = capture(outcome, name);
  process.argv = [node, fileURLToPath(program), ...args];
  process.exitCode = undefined;
  await import(`${program.href}?${index}`);
  outcome.code = process.exitCode ?? 0;
  process.stdout.removeAllListeners('error');
}
process.exitCode = 0;
print(JSON.stringify(outcomes));

function capture(outcome, name) {
  return (chunk, ...rest) => {
    outcome[name] += chunk;
    rest.find((one) => typeof one === 'function')?.();
    return true;
  };
}
