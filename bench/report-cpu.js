/** Loaded with `--import`: prints the CPU time of a process when it exits. */
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write(`cpu ${(user + system) / 1000}`);
});
