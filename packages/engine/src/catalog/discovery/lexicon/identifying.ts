/** What a parameter or a field is called by which a thing is told from others of its kind. */
export const identifying: ReadonlySet<string> = new Set(
  'id ids identifier uri uris urn number no name names slug login key code codes uuid guid sha ref symbol handle username hash'.split(
    ' ',
  ),
);
