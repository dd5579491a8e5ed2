/** Encodes everything but letters, digits and `-._~`, so that a value cannot end its parameter. */
export function escapeValue(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * For `allowReserved`: reserved characters and percent-encoded text are kept. Characters with a meaning in a query, or not allowed
 * there, are encoded anyway, so that a value cannot become another parameter. Old servers split a query at semicolons too.
 */
export function escapeReserved(text: string): string {
  return text
    .split(/(%[0-9A-Fa-f]{2})/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : escapeValue(part).replace(/%(3A|2F|3F|40|21|24|27|28|29|2A|2C|3D)/g, decodeURIComponent),
    )
    .join('');
}

/** Keeps names such as `$filter` and `user:id` readable. */
export function escapeName(text: string): string {
  return escapeValue(text).replace(/%(24|2C|2F|3A|40)/g, decodeURIComponent);
}
