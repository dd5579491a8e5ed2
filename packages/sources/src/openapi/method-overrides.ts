import type { Tool } from '@executor/engine';
import { RequestError } from '../call/request-error.ts';
import { effectOfOverride, type MethodEffect, worstEffect, worstOf } from './method-effect.ts';
import type { OperationPlan } from './operation.ts';
import { isOverrideField, isOverrideHeader } from './request/names/method-override.ts';
import { serverUrl } from './request/server-url.ts';
import type { OpenApiSettings } from './settings.ts';

/** A header or field with which a call can replace its method, and the worst that it can send there. */
export interface MethodOverride extends MethodEffect {
  name: string;
}

type Schemas = Pick<Tool, 'inputSchema' | 'definitions'>;

/** All method overrides of an operation: those that its input can set, and those in its URL and in the headers of its source. */
export function methodOverrides(
  plan: OperationPlan,
  schemas: Schemas,
  settings: OpenApiSettings = {},
): MethodOverride[] {
  const inUrl = [plan.path, serverOf(plan, settings)].flatMap(queryPairs);
  return [
    ...inputOverrides(plan, schemas),
    ...constants(inUrl, isOverrideField),
    ...constants(Object.entries(settings.headers ?? {}), isOverrideHeader),
  ];
}

/** Empty if the source has no usable server, so that no call can be sent. */
function serverOf(plan: OperationPlan, settings: OpenApiSettings): string {
  try {
    return serverUrl(plan, settings).href;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return '';
  }
}

function inputOverrides({ parameters, body }: OperationPlan, schemas: Schemas): MethodOverride[] {
  const inParameters = parameters.filter(
    ({ in: location, name }) =>
      location !== 'path' && (location === 'header' ? isOverrideHeader(name) : isOverrideField(name)),
  );
  const inBody = body?.from.type === 'fields' ? { ...body.files?.fields, ...body.from.fields } : {};
  const fields = [
    ...inParameters.map(({ field, name }) => [field, name] as const),
    ...Object.entries(inBody).filter(([, name]) => isOverrideField(name)),
  ];
  return fields.map(([field, name]) => {
    const { inputSchema } = schemas;
    const methods = allowedTexts(property(property(inputSchema, 'properties'), field), schemas, 0);
    return { name, ...worstOfTexts(methods) };
  });
}

function constants(
  pairs: readonly (readonly [name: string, value: string])[],
  isOverride: (name: string) => boolean,
): MethodOverride[] {
  return pairs
    .filter(([name]) => isOverride(name))
    .map(([name, value]) => ({ name, ...worstOfTexts([value]) }));
}

/** A value that is not one known method may be any. */
function worstOfTexts(texts: readonly string[] | undefined): MethodEffect {
  const methods = texts?.map((text) => text.trim().toUpperCase()).filter((text) => text !== '');
  if (methods === undefined) return worstEffect;
  const [first = 'GET', ...others] = methods;
  return worstOf(others.map(effectOfOverride), effectOfOverride(first));
}

const maxDepth = 8;

/** The texts that a schema allows; undefined if they are not bounded. */
function allowedTexts(schema: unknown, schemas: Schemas, depth: number): string[] | undefined {
  if (depth > maxDepth || typeof schema !== 'object' || schema === null) return undefined;
  const {
    const: only,
    enum: values,
    pattern,
    $ref,
    allOf,
    anyOf,
    oneOf,
    items,
    type,
  } = schema as Record<string, unknown>;
  const follow = (one: unknown) => allowedTexts(one, schemas, depth + 1);
  if (only !== undefined) return textsOf([only]);
  if (Array.isArray(values)) return textsOf(values);
  if (type === 'null') return [];
  const bounds = [
    typeof pattern === 'string' ? textsOfPattern(pattern) : undefined,
    typeof $ref === 'string' ? follow(target($ref, schemas)) : undefined,
    ...(Array.isArray(allOf) ? allOf.map(follow) : []),
    ...[anyOf, oneOf].map((choices) => (Array.isArray(choices) ? union(choices.map(follow)) : undefined)),
    type === 'array' ? follow(items) : undefined,
  ];
  return bounds.find((texts) => texts !== undefined);
}

function textsOf(values: unknown[]): string[] | undefined {
  const texts = values.filter((value) => value !== null);
  return texts.every((text) => typeof text === 'string') ? texts : undefined;
}

/** Only `^(GET|POST)$` and the like: an alternative without parentheses is not bounded. */
function textsOfPattern(pattern: string): string[] | undefined {
  const [, single, several] = /^\^(?:([a-z]+)|\((?:\?:)?([a-z|]+)\))\$$/i.exec(pattern) ?? [];
  return single === undefined ? several?.split('|') : [single];
}

function union(choices: (string[] | undefined)[]): string[] | undefined {
  return choices.every((texts) => texts !== undefined) ? choices.flat() : undefined;
}

function target(reference: string, { inputSchema, definitions }: Schemas): unknown {
  const name = reference.startsWith('#/$defs/') ? reference.slice('#/$defs/'.length) : undefined;
  if (name === undefined) return undefined;
  return property(property(inputSchema, '$defs'), name) ?? definitions?.get(name);
}

function property(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

/** The decoded pairs of the query of a URL or path, which may have placeholders. */
function queryPairs(url: string): [name: string, value: string][] {
  const query = /\?([^#]*)/.exec(url)?.[1] ?? '';
  return [...new URLSearchParams(query)];
}
