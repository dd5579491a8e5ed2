const maxFields = 5;

/** The fields of the input that the problems of a call are about, also those that it suggests. */
export function fieldsInQuestion(problems: string): string[] {
  const named = problems.matchAll(/\binput\.([A-Za-z_$][\w$]*)|did you mean ([A-Za-z_$][\w$]*)\?/g);
  return [...new Set([...named].map(([, field, meant]) => field ?? meant ?? ''))].slice(0, maxFields);
}
