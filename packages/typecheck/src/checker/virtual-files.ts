import type { FileSystem } from 'typescript/unstable/fs';

const folder = '/run';
export const configFile = `${folder}/tsconfig.json`;
export const codeFile = `${folder}/code.ts`;
export const toolsFile = `${folder}/tools.d.ts`;
const globalsFile = `${folder}/globals.d.ts`;

/** TypeScript's own declarations of the language, which are beside its program. */
const libraryFile = /\/typescript-[\w-]+\/lib\/lib\.[\w.]*d\.ts$/;

/*
 * Null and undefined are accepted everywhere: documents rarely say which fields are always present, and code that
 * passes on an optional field is usually right. A literal null is checked separately (nulls.ts).
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

/** The only files that TypeScript can see: ours and its own. Code can name any file and gets none. */
export class VirtualFiles {
  readonly #files: Map<string, string>;

  constructor(globals: string) {
    const files = [codeFile, toolsFile, globalsFile];
    this.#files = new Map([
      [configFile, JSON.stringify({ compilerOptions, files })],
      [globalsFile, globals],
    ]);
  }

  /** Returns the files that changed: a retry usually names the same tools. */
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

  /** Undefined means: read the real file. */
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
