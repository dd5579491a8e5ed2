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
 * it on is right more often than not. What is written as null is looked at by itself (nulls.ts).
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

  /** Answers which files are others than before: whoever tries again mostly names the same tools. */
  set(code: string, declarations: string): string[] {
    const changed: string[] = [];
    for (const [file, text] of [
      [codeFile, code],
      [toolsFile, declarations],
    ] as const) {
      if (this.#files.get(file) !== text) changed.push(file);
      this.#files.set(file, text);
    }
    return changed;
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
