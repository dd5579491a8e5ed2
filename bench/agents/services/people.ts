const firstNames = [
  ...['Mara', 'Tomas', 'Ines', 'Jonas', 'Priya', 'Kofi', 'Elena', 'Hiro', 'Sofia', 'Liam'],
  ...['Amara', 'Noah', 'Yuki', 'Oscar', 'Leila', 'Pavel', 'Greta', 'Diego', 'Nadia', 'Felix'],
];
const lastNames = [
  ...['Lindqvist', 'Okafor', 'Tanaka', 'Moreau', 'Silva', 'Novak', 'Haddad', 'Berg'],
  ...['Costa', 'Weiss', 'Murphy', 'Kaur', 'Petrov', 'Jensen', 'Rossi', 'Duarte'],
];

interface Person {
  first: string;
  last: string;
  name: string;
  email: string;
}

/** The person with a number. All services know the same people. */
export function person(number: number): Person {
  const first = firstNames[number % 20] ?? '';
  const last = lastNames[(number * 7 + Math.floor(number / 20) * 3) % 16] ?? '';
  return { first, last, name: `${first} ${last}`, email: `${first}.${last}@example.com`.toLowerCase() };
}

/** The numbers from one to the count. */
export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** The item of a repeating list. */
export function cycle<Value>(values: Value[], number: number): Value {
  return values[number % values.length] as Value;
}

export function padded(number: number, length: number): string {
  return String(number).padStart(length, '0');
}

/** A day of 2026 or the years around it, in ISO form. */
export function day(number: number): string {
  return new Date(Date.UTC(2026, 0, 1) + number * 86_400_000).toISOString().slice(0, 10);
}
