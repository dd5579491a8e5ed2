import {
  execute,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  parse,
  validate,
} from 'graphql';
import { type LocalServer, startLocalServer } from '../local-server.ts';

/** A server for any schema. It validates each request, and answers with a generated value for each field. */
export async function startGenerated(schema: GraphQLSchema): Promise<LocalServer & { endpoint: string }> {
  const server = await startLocalServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { query, variables } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> };
    const document = parse(query);
    const errors = validate(schema, document);
    const answer =
      errors.length > 0
        ? { errors }
        : await execute({
            schema,
            document,
            variableValues: variables ?? {},
            fieldResolver: (_source, _arguments, _context, info) => generate(info.returnType, info),
            typeResolver: (_value, _context, { schema: of }, type) => of.getPossibleTypes(type)[0]?.name,
          });
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  return { ...server, endpoint: `${server.url}/graphql` };
}

function generate(type: GraphQLOutputType, info: GraphQLResolveInfo): unknown {
  if (isNonNullType(type)) return generate(type.ofType, info);
  if (isListType(type)) return [generate(type.ofType, info)];
  return isLeafType(type) ? leafValue(type) : {};
}

function leafValue(type: { name: string }): unknown {
  if (isEnumType(type)) return type.getValues()[0]?.value;
  if (type.name === 'Int' || type.name === 'Float') return 7;
  return type.name === 'Boolean' ? true : 'text';
}

/** The least input for the arguments of a root field. */
export function minimalInput(
  schema: GraphQLSchema,
  { operation, field }: { operation: string; field: string },
): Record<string, unknown> {
  const root = operation === 'query' ? schema.getQueryType() : schema.getMutationType();
  const args = root?.getFields()[field]?.args.filter(isRequiredArgument) ?? [];
  return Object.fromEntries(args.map(({ name, type }) => [name, inputValue(type)]));
}

function inputValue(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return inputValue(type.ofType);
  if (isListType(type)) return [inputValue(type.ofType)];
  if (!isInputObjectType(type)) return leafValue(type);
  const fields = Object.values(type.getFields());
  const sent = type.isOneOf ? fields.slice(0, 1) : fields.filter(isRequiredInputField);
  return Object.fromEntries(sent.map((field) => [field.name, inputValue(field.type)]));
}
