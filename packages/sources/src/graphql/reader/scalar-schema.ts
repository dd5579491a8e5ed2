import type { JsonSchema } from '@executor/engine';
import { type GraphQLScalarType, specifiedScalarTypes } from 'graphql';
import { plainText } from '../../text/plain-text.ts';

export type Direction = 'input' | 'output';

/** The scalars of the specification. An id may be sent as a number. */
const specified: Record<string, { input: JsonSchema; output: JsonSchema }> = {
  Int: { input: { type: 'integer' }, output: { type: 'integer' } },
  Float: { input: { type: 'number' }, output: { type: 'number' } },
  String: { input: { type: 'string' }, output: { type: 'string' } },
  Boolean: { input: { type: 'boolean' }, output: { type: 'boolean' } },
  ID: { input: { type: ['string', 'integer'] }, output: { type: 'string' } },
};

/** Custom scalars whose names say that their values are text. The server checks the format. */
const textual =
  /(^|[a-z\d])(Date|Time|DateTime|LocalDate|LocalTime|LocalDateTime|Ur[il]|UR[IL]|Uuid|UUID|GUID|Email|EmailAddress|PhoneNumber|Html|HTML|Markdown|Base64|Base64String|Slug|IPv4|IPv6|Locale|CountryCode|CurrencyCode|ObjectID)$|^(uuid|date|timestamp|timestamptz|citext|bpchar)$|^Git[A-Z]\w*$/;
/** Numbers that may be too large or too exact for a JSON number. */
const numeric = /^(BigInt|Long|Int64|UInt64|Decimal|BigDecimal|UnsignedInt64|BigInteger|bigint|numeric)$/;
const wholeNumber = /^(PositiveInt|NonNegativeInt|UnsignedInt|Int8|Int16|Int32|UInt|UInt32|Port)$/;

/** A custom scalar without a telling name may be any JSON. */
export function scalarSchema(type: GraphQLScalarType, direction: Direction): JsonSchema {
  if (specifiedScalarTypes.some(({ name }) => name === type.name))
    return (specified[type.name] as (typeof specified)[string])[direction];
  const description = describeScalar(type);
  if (textual.test(type.name)) return { type: 'string', description };
  if (numeric.test(type.name)) return { type: ['string', 'number'], description };
  return wholeNumber.test(type.name) ? { type: 'integer', description } : { description };
}

function describeScalar({ name, description, specifiedByURL }: GraphQLScalarType): string {
  const parts = [
    `${name}.`,
    plainText(description ?? '', 300),
    specifiedByURL && `Format: ${specifiedByURL}`,
  ];
  return parts.filter(Boolean).join(' ').slice(0, 500);
}
