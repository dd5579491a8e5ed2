/** Whether a person sits at this terminal: what is piped in or out is a program's, and is never asked anything. */
export function isInteractive(): boolean {
  return Boolean(process.stdin.isTTY && process.stdout.isTTY && process.stderr.isTTY);
}
