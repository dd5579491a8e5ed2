import type { FileSystem } from 'typescript/unstable/fs';

const folder = '/run';
export const configFile = `${folder}/tsconfig.json`;
export const codeFile = `${folder}/code.ts`;
export const toolsFile = `${folder}/tools.d.ts`;
const globalsFile = `${folder}/globals.d.ts`;

/** TypeScript's own declarations of the language, which are beside its program. */
const libraryFile = /\/typescript-[\w-]+\/lib\/lib\.[\w.]*d\.ts$/;

/*
 * Null and undefined are let through everywhere: documents rarely say what is always there, and whoever reads an optional field and passes
 * it on is right more often than not.
 */
const compilerOptions = {
  target: 'ES2023',
  lib: ['ES2023'],
  module: 'ESNext',
  moduleDetection: 'force',
  types: [],
  strict: false,
  skipLibCheck: true,
  noEmit: true,
};

/** The only files that there are for TypeScript: what it is given, and its own. Code can name any file, and gets none. */
export class VirtualFiles {
  readonly #files: Map<string, string>;

  constructor(globals: string) {
    const files = [codeFile, toolsFile, globalsFile];
    this.#files = new Map([
      [configFile, JSON.stringify({ compilerOptions, files })],
      [globalsFile, globals],
    ]);
  }

  set(code: string, declarations: string): void {
    this.#files.set(codeFile, code);
    this.#files.set(toolsFile, declarations);
  }

  /** Undefined means that the real file counts. */
  fileSystem(): FileSystem {
    return {
      readFile: (path) => this.#files.get(path) ?? (libraryFile.test(path) ? undefined : null),
      fileExists: (path) => this.#files.has(path) || (libraryFile.test(path) ? undefined : false),
      directoryExists: (path) => path === folder,
      getAccessibleEntries: () => ({ files: [], directories: [] }),
      realpath: (path) => path,
    };
  }
}
