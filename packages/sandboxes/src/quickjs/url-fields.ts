/** The parts of a URL that the lane parses for the code; both sides name them by this list. */
export const urlFields = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;
