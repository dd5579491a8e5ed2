import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

const packages = ['client', 'home', 'protocol'].map((name) => ({
  specifier: `@executor/${name}`,
  folder: fileURLToPath(new URL(`../packages/${name}/src/`, import.meta.url)),
}));

/**
 * Imports the file that defines a name instead of the package's index. An index refers to every file of its package, so a command that
 * prints one sentence would load all schemas of the protocol: esbuild drops unused files of a whole build, not of one chunk.
 */
export function directImports(): Plugin {
  const files = new Map(packages.map(({ specifier, folder }) => [specifier, exportedNames(folder)]));
  return {
    name: 'direct-imports',
    setup(build) {
      build.onLoad({ filter: /\/(apps|packages)\/.*\.ts$/ }, async ({ path }) => {
        if (path.includes('/node_modules/')) return undefined;
        return { contents: rewriteImports(await readFile(path, 'utf8'), files), loader: 'ts' };
      });
    },
  };
}

/** The file that defines each exported value of a package. */
function exportedNames(folder: string): Map<string, string> {
  const index = readFileSync(`${folder}index.ts`, 'utf8');
  const names = new Map<string, string>();
  for (const [, list = '', file = ''] of index.matchAll(/^export \{([^}]*)\} from '\.\/([^']+)';/gm))
    for (const name of valuesIn(list)) names.set(name, `${folder}${file}`);
  return names;
}

function rewriteImports(source: string, files: Map<string, Map<string, string>>): string {
  return source.replace(
    /^import \{([^}]*)\} from '(@executor\/\w+)';/gm,
    (statement, list: string, specifier: string) => {
      const defined = files.get(specifier);
      if (defined === undefined) return statement;
      return valuesIn(list)
        .map((name) => {
          const file = defined.get(name.replace(/ as .*/, ''));
          if (file === undefined) throw new Error(`${specifier} does not export ${name}`);
          return `import { ${name} } from '${file}';`;
        })
        .join(' ');
    },
  );
}

/** Types are left out: a bundle has none. */
function valuesIn(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));
}
