import type { JsonSchema, ToolPacker } from '@executor/engine';
import {
  type GraphQLCompositeType,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLType,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isScalarType,
  isUnionType,
} from 'graphql';
import { type JsonObject, setOwn } from '../../document/json.ts';
import { plainText } from '../../text/plain-text.ts';
import { type Direction, scalarSchema } from './scalar-schema.ts';

const maxDescriptionChars = 400;
const maxShownValue = 200;

interface Described {
  description?: string | null | undefined;
  deprecationReason?: string | null | undefined;
  defaultValue?: unknown;
}

/**
 * The JSON Schemas of a schema's types. Each named type that something refers to is packed once, as a definition with the name of the
 * type. The definition of an object type is `TYPE.fields`: all its fields, and all optional, because a caller selects them.
 */
export class TypeSchemas {
  readonly #packer: ToolPacker;
  readonly #defined = new Set<string>();
  /** Types can be nested too deeply for recursion. */
  readonly #open: GraphQLNamedType[] = [];
  #isDefining = false;

  constructor(packer: ToolPacker) {
    this.#packer = packer;
  }

  input(type: GraphQLInputType): JsonSchema {
    return this.#of(type, 'input');
  }

  /** All fields of a result. `named` replaces the schema of its named type. */
  output(type: GraphQLOutputType, named?: JsonSchema): JsonSchema {
    return this.#of(type, 'output', named);
  }

  /** The schema with a description, and what a JSON schema cannot say about a field. */
  describe(schema: JsonSchema, { description, deprecationReason, defaultValue }: Described): JsonSchema {
    const shown = defaultValue === undefined ? undefined : shownDefault(defaultValue);
    const text = [
      plainText(deprecationReason ?? '', maxDescriptionChars),
      plainText(description ?? '', maxDescriptionChars),
      shown !== undefined && `Default: ${shown}`,
    ]
      .filter(Boolean)
      .join('\n');
    const isDeprecated = deprecationReason != null;
    if (text === '' && !isDeprecated) return schema;
    const object = typeof schema === 'object' ? schema : {};
    const { description: own, ...rest } = object;
    return {
      ...rest,
      ...((text !== '' || own !== undefined) && { description: text === '' ? own : text }),
      ...(isDeprecated && { deprecated: true }),
    };
  }

  #of(type: GraphQLType, direction: Direction, named?: JsonSchema): JsonSchema {
    if (isNonNullType(type)) return this.#present(type.ofType as GraphQLType, direction, named);
    return orNull(this.#present(type, direction, named));
  }

  #present(type: GraphQLType, direction: Direction, named?: JsonSchema): JsonSchema {
    if (isListType(type)) return { type: 'array', items: this.#of(type.ofType, direction, named) };
    if (named !== undefined) return named;
    return this.#named(type as GraphQLNamedType, direction);
  }

  #named(type: GraphQLNamedType, direction: Direction): JsonSchema {
    if (isScalarType(type)) return scalarSchema(type, direction);
    const name = isEnumType(type) || isInputObjectType(type) ? type.name : `${type.name}.fields`;
    if (!this.#defined.has(name)) {
      this.#defined.add(name);
      this.#open.push(type);
      this.#defineAll();
    }
    return { $ref: `#/$defs/${name}` };
  }

  #defineAll(): void {
    if (this.#isDefining) return;
    this.#isDefining = true;
    for (let type = this.#open.pop(); type; type = this.#open.pop()) {
      if (isEnumType(type)) this.#packer.define(type.name, this.#enum(type));
      else if (isInputObjectType(type)) this.#packer.define(type.name, this.#inputObject(type));
      else if (isCompositeType(type)) this.#packer.define(`${type.name}.fields`, this.#fields(type));
    }
    this.#isDefining = false;
  }

  #enum(type: GraphQLEnumType): JsonSchema {
    const values = type.getValues();
    const deprecated = values.filter(({ deprecationReason }) => deprecationReason != null);
    const note =
      deprecated.length > 0
        ? ` Deprecated: ${deprecated.map(({ name }) => name).join(', ')}`.slice(0, maxDescriptionChars)
        : '';
    const schema = { type: 'string', enum: values.map(({ name }) => name) };
    return this.describe(schema, { description: `${type.description ?? ''}${note}` });
  }

  #inputObject(type: GraphQLInputObjectType): JsonSchema {
    const fields = Object.values(type.getFields());
    if (type.isOneOf) return this.#oneOf(type);
    const properties: JsonObject = {};
    for (const field of fields) setOwn(properties, field.name, this.describe(this.input(field.type), field));
    const required = fields.filter(isRequiredInputField).map(({ name }) => name);
    const schema = {
      type: 'object',
      properties,
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    };
    return this.describe(schema, type);
  }

  /** Exactly one field, and not null. */
  #oneOf(type: GraphQLInputObjectType): JsonSchema {
    const oneOf = Object.values(type.getFields()).map((field) => {
      const properties: JsonObject = {};
      const schema = this.#present(field.type, 'input');
      setOwn(properties, field.name, this.describe(schema, field));
      return { type: 'object', properties, required: [field.name], additionalProperties: false };
    });
    return this.describe(
      { oneOf },
      { description: `${type.description ?? ''} Pass exactly one field.`.trim() },
    );
  }

  /** Objects in it are open, because in most schemas each type leads to all others. */
  #fields(type: GraphQLCompositeType): JsonSchema {
    const properties: JsonObject = {};
    for (const field of isUnionType(type) ? [] : Object.values(type.getFields())) {
      const named = getNamedType(field.type);
      const open = isLeafType(named) ? undefined : openObject;
      setOwn(properties, field.name, this.describe(this.output(field.type, open), field));
    }
    const schema = { type: 'object', properties, ...(isAbstractType(type) && { additionalProperties: {} }) };
    return this.describe(schema, type);
  }
}

const openObject: JsonSchema = { type: 'object', additionalProperties: {} };

/** A default that the server fills in. It is only shown, and not sent. */
function shownDefault(value: unknown): string | undefined {
  const text = JSON.stringify(value);
  return text !== undefined && text.length <= maxShownValue ? text : undefined;
}

function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema !== 'object') return schema;
  const { type, enum: values } = schema;
  if (type === undefined && schema.$ref === undefined && schema.oneOf === undefined) return schema;
  if (type === undefined || values !== undefined) return { anyOf: [schema, { type: 'null' }] };
  const types = Array.isArray(type) ? type : [type];
  return { ...schema, type: [...types, 'null'] };
}
