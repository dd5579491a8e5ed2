import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';

/*
 * The files of an installation: logs, state, keys. Links are not followed, so nobody can lead a write or a read to another file. Opening
 * does not wait for the other end of a pipe.
 */
const { O_APPEND, O_CREAT, O_RDONLY, O_WRONLY } = constants;
/** Windows has neither. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;
const careful = O_NOFOLLOW | O_NONBLOCK;
const privateMode = 0o600;

/** Opens a file to add lines to it, and creates it if there is none. Returns its descriptor. */
export function openToAppend(path: string): number {
  return openFile(path, O_WRONLY | O_APPEND | O_CREAT);
}

export function readPrivateFile(path: string): string {
  const descriptor = openFile(path, O_RDONLY);
  try {
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Takes all rights from other users. */
export function closeToOthers(path: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openFile(path, O_RDONLY);
  try {
    if ((fstatSync(descriptor).mode & 0o077) !== 0) fchmodSync(descriptor, privateMode);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes a file that has this name only until it is renamed or linked. A leftover of an earlier process is replaced. */
export function writeCandidate(path: string, text: string): void {
  rmSync(path, { force: true });
  writeFileSync(path, text, { flag: 'wx', mode: privateMode, flush: true });
}

function openFile(path: string, flags: number): number {
  const descriptor = openSync(path, flags | careful, privateMode);
  const stats = fstatSync(descriptor);
  if (stats.isFile()) return descriptor;
  closeSync(descriptor);
  const code = stats.isDirectory() ? 'EISDIR' : 'ENXIO';
  throw Object.assign(new Error(`${path} is not a file.`), { code, syscall: 'open' });
}
