/**
 * Names of headers and fields that replace the method of a request at many servers: `X-HTTP-Method-Override`, `X-HTTP-Method`,
 * `X-Method-Override`, `_method`. Case and separators do not matter.
 */
const overrideHeader = /^(?!method$)x?(http|original|rewrite|forwarded|real|request)*method(override)?$/;
const overrideField = /^(x?(http)?methodoverride|xhttpmethod)$/;

export function isOverrideHeader(name: string): boolean {
  return overrideHeader.test(lettersOf(name)) || isOverrideField(name);
}

/** In a query, a cookie or a body. A field `method` alone is none: it is usually a payment method or a filter. */
export function isOverrideField(name: string): boolean {
  return /^[_.]+(http[_-]?)?method($|[^a-z0-9_])/i.test(name) || overrideField.test(lettersOf(name));
}

function lettersOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/\[.*$/s, '')
    .replace(/[^a-z]/g, '');
}
