import { setImmediate } from 'node:timers/promises';
import type { ToolText } from '../ports/discovery.ts';
import type { Definitions, JsonSchema, PackedTools, Tool } from '../ports/source.ts';
import { ChunkCache } from './chunk-cache.ts';
import { ToolPack } from './tool-pack.ts';

/** The texts of packed tools, for discovery. It takes CPU time: some seconds for 25,000 tools. */
export async function toolTexts(packed: PackedTools): Promise<ToolText[]> {
  const pack = await ToolPack.open(packed, new ChunkCache());
  const reader = new SchemaTexts(pack);
  const texts: ToolText[] = [];
  for (const tool of pack.tools()) {
    texts.push(textOf(tool, reader));
    if (texts.length % toolsAtOnce === 0) await setImmediate();
  }
  return texts;
}

const toolsAtOnce = 500;

/** The text of one tool. */
export function toolText(tool: Tool): ToolText {
  return textOf(tool, new SchemaTexts(tool.definitions));
}

function textOf(
  { path, origin, tags = [], description, effect, deprecated = false, inputSchema, outputSchema }: Tool,
  reader: SchemaTexts,
): ToolText {
  const name = origin.operationId ?? origin.name;
  const { names, about } = reader.fields(inputSchema);
  return {
    path,
    name: typeof name === 'string' ? name : '',
    tags,
    description,
    effect,
    deprecated,
    method: typeof origin.method === 'string' ? origin.method : undefined,
    route: typeof origin.path === 'string' ? origin.path : undefined,
    parameters: names,
    aboutParameters: about,
    results: reader.fields(outputSchema).names,
  };
}

interface FieldTexts {
  names: string[];
  about: string[];
}

const maxFields = 60;
const maxAboutChars = 80;
const maxEnumValues = 24;
const maxChoices = 4;
const levels = 2;
const prefix = '#/$defs/';

/** Reads the names and descriptions of fields. Many tools refer to the same definition, so each one is read once per level. */
class SchemaTexts {
  readonly #definitions: Definitions | undefined;
  readonly #known = new Map<string, FieldTexts>();

  constructor(definitions: Definitions | undefined) {
    this.#definitions = definitions;
  }

  /** The fields of an object, or of the objects in a list, and the fields of those. */
  fields(schema: JsonSchema | undefined): FieldTexts {
    const texts: FieldTexts = { names: [], about: [] };
    this.#read(schema, levels, texts);
    return texts;
  }

  #read(schema: unknown, level: number, texts: FieldTexts): void {
    if (!isObject(schema) || level <= 0 || texts.names.length >= maxFields) return;
    const { $ref, properties, items } = schema;
    if (typeof $ref === 'string' && $ref.startsWith(prefix))
      append(texts, this.#definition($ref.slice(prefix.length), level));
    if (isObject(properties))
      for (const name in properties) {
        if (texts.names.length >= maxFields) return;
        texts.names.push(name);
        this.#readValue(properties[name], level - 1, texts);
      }
    // A list or a choice is half a level, so that lists of lists end.
    for (const value of [items, ...choicesIn(schema)]) this.#readValue(value, level - 0.5, texts);
  }

  /** Reads the description of a value and its fields. */
  #readValue(value: unknown, level: number, texts: FieldTexts): void {
    if (!isObject(value)) return;
    const about = aboutOf(value);
    if (about !== '') texts.about.push(about);
    this.#read(value, level, texts);
  }

  #definition(name: string, level: number): FieldTexts {
    const key = `${level} ${name}`;
    const known = this.#known.get(key);
    if (known) return known;
    const texts: FieldTexts = { names: [], about: [] };
    this.#known.set(key, texts);
    this.#readValue(this.#definitions?.get(name), level - 0.5, texts);
    return texts;
  }
}

function append(texts: FieldTexts, { names, about }: FieldTexts): void {
  texts.names.push(...names.slice(0, maxFields - texts.names.length));
  texts.about.push(...about.slice(0, Math.max(0, maxFields - texts.about.length)));
}

function aboutOf({ description, enum: values }: Record<string, unknown>): string {
  const text = typeof description === 'string' ? description.slice(0, maxAboutChars) : '';
  if (!Array.isArray(values)) return text;
  return [text, ...values.slice(0, maxEnumValues).filter((value) => typeof value === 'string')].join(' ');
}

function choicesIn({ allOf, anyOf, oneOf }: Record<string, unknown>): unknown[] {
  return ([allOf, anyOf, oneOf].find(Array.isArray) ?? []).slice(0, maxChoices);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
