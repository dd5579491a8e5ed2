/** The distinct names in braces in a path or URL. */
export function placeholdersOf(template: string): string[] {
  return [...new Set([...template.matchAll(/\{([^{}/]{1,200})\}/g)].map(([, name]) => name as string))];
}
