/** The browser and system of a `User-Agent` header, such as "Firefox on Linux". An unknown browser is not guessed. */
export function browserName(userAgent: string | undefined): string {
  const text = userAgent ?? '';
  const browser = nameIn(text, browsers) ?? 'A browser';
  const system = nameIn(text, systems);
  return system === undefined ? browser : `${browser} on ${system}`;
}

function nameIn(text: string, names: [RegExp, string][]): string | undefined {
  return names.find(([pattern]) => pattern.test(text))?.[1];
}

/** Browsers also name those that they are compatible with, so the order matters. */
const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Headless)?Chrom(e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];
