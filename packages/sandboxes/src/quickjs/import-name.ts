/** What `import` is called in `import(…)`: as long as the word, so that everything keeps its place. */
export const importName = '$impor';
