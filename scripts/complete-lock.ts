import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Run after a change of dependencies: adds the rows of optional packages for other platforms to package-lock.json.
 *
 * npm omits such a row if the current registry lacks the package, and `npm ci` then refuses the lock file. npm needs the version and the
 * platform of a row. The platform follows from the name of the package.
 */
interface Row {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

interface Lock {
  packages: Record<string, Row>;
}

/** The missing rows, by their path in node_modules. */
export function missingRows({ packages }: Lock): Record<string, Row> {
  const missing: Record<string, Row> = {};
  for (const [path, row] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(row.optionalDependencies ?? {})) {
      const paths = [`${path}/node_modules/${name}`, `node_modules/${name}`];
      if (paths.some((one) => packages[one] !== undefined || missing[one]?.version === version)) continue;
      const target =
        missing[`node_modules/${name}`] === undefined
          ? `node_modules/${name}`
          : `${path}/node_modules/${name}`;
      missing[target] = { version, ...(row.dev && { dev: true }), optional: true, ...platformOf(name) };
    }
  }
  return missing;
}

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const processors = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

function platformOf(name: string): Pick<Row, 'os' | 'cpu' | 'libc'> {
  const words = name.replace('windows', 'win32').split(/[/@-]/);
  const find = (values: string[]) => words.find((word) => values.includes(word));
  const os = words.includes('wasm32') ? undefined : find(systems);
  const cpu = find(processors);
  const libc = words.includes('musl') ? 'musl' : words.includes('gnu') ? 'glibc' : undefined;
  return { ...(os && { os: [os] }), ...(cpu && { cpu: [cpu] }), ...(libc && { libc: [libc] }) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const folder of ['../', './node24/', './documents/', './conformance/']) {
    const file = new URL(`${folder}package-lock.json`, import.meta.url);
    const lock: Lock = JSON.parse(readFileSync(file, 'utf8'));
    const added = missingRows(lock);
    const packages = Object.fromEntries(
      Object.entries({ ...lock.packages, ...added }).sort(([a], [b]) => (a < b ? -1 : 1)),
    );
    writeFileSync(file, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`);
    console.log(`${Object.keys(added).length} rows added to ${folder}package-lock.json`);
  }
}
