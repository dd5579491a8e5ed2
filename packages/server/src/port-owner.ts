import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

export interface PortOwner {
  pid: number;
  command: string;
}

/** Finds the process that listens on a port, if this user may see it. */
export async function findPortOwner(port: number): Promise<PortOwner | undefined> {
  try {
    return process.platform === 'linux' ? await fromProc(port) : await fromLsof(port);
  } catch {
    return undefined;
  }
}

async function fromProc(port: number): Promise<PortOwner | undefined> {
  const inodes = new Set(
    (
      await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map((table) => listeningInodes(table, port)))
    ).flat(),
  );
  if (inodes.size === 0) return undefined;
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid) || !(await holdsSocket(pid, inodes))) continue;
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
    return { pid: Number(pid), command };
  }
  return undefined;
}

/** Fields of a row: `sl local_address rem_address st … inode`; state 0A is listening. */
async function listeningInodes(table: string, port: number): Promise<string[]> {
  const rows = (await readFile(table, 'utf8').catch(() => ''))
    .split('\n')
    .map((row) => row.trim().split(/\s+/));
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return rows.filter((row) => row[1]?.endsWith(suffix) && row[3] === '0A').map((row) => row[9] ?? '');
}

async function holdsSocket(pid: string, inodes: Set<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const descriptors = await readdir(folder).catch(() => []);
  const targets = await Promise.all(descriptors.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  return targets.some((target) => inodes.has(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? ''));
}

async function fromLsof(port: number): Promise<PortOwner | undefined> {
  const { stdout } = await promisify(execFile)('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc']);
  const pid = /^p(\d+)$/m.exec(stdout)?.[1];
  const command = /^c(.+)$/m.exec(stdout)?.[1];
  return pid && command ? { pid: Number(pid), command } : undefined;
}
