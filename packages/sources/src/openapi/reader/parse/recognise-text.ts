/** Recognises other formats by how the text starts, before parsing. Returns a sentence, or undefined if it may be OpenAPI. */
export function recogniseText(text: string): string | undefined {
  const start = text.slice(0, 20_000).trimStart();
  if (start === '') return `The document is empty. ${instead}`;
  return beginnings.find(([pattern]) => pattern.test(start))?.[1];
}

const instead = 'Use the URL of an OpenAPI document in JSON or YAML.';

const beginnings: [RegExp, string][] = [
  [
    /^(<\?xml[^>]{0,200}>\s*)?(<!--[^>]{0,500}>\s*)?<(\w{1,40}:)?(definitions|description)\b/i,
    `This is a WSDL document, of a SOAP service. ${instead}`,
  ],
  [/^(<!doctype html|<html|<head|<body)/i, `This is an HTML page. ${instead}`],
  [/^<(\?xml|!--|[a-z!])/i, `This is XML or an HTML page. ${instead}`],
  [/^#%RAML/, `This is a RAML document, which is not supported. ${instead}`],
  [/^FORMAT:\s*1A/, `This is an API Blueprint, which is not supported. ${instead}`],
  [
    /^(#[^\n]*\n\s*|"""[^"]{0,2000}"""\s*)*(schema|type\s+\w+|interface\s+\w+|enum\s+\w+|input\s+\w+|union\s+\w+|extend\s+\w+|directive\s+@\w+|scalar\s+\w+)\b[^:\n]{0,200}[{=@\n]/,
    `This is a GraphQL schema, not an OpenAPI document. ${instead}`,
  ],
  [
    /^(syntax\s*=\s*"proto|package\s+[\w.]+;)/,
    `This is a Protocol Buffers file, not an OpenAPI document. ${instead}`,
  ],
];
