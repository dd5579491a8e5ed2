import { isObject, own, textOf } from '../../../document/json.ts';
import type { Located } from '../../../document/json-pointer.ts';
import type { Api } from '../operation/api.ts';
import type { Operation } from '../operation/operations.ts';
import type { DeclaredParameters } from '../operation/parameters.ts';
import { type BodyChoice, bestChoice, type DeclaredBody } from './body-choice.ts';
import { swaggerBody } from './swagger-body.ts';

/** The body of an operation, if it has one. */
export function declaredBody(
  operation: Operation,
  parameters: DeclaredParameters,
  api: Api,
): DeclaredBody | undefined {
  if (parameters.body || parameters.form.length > 0) {
    if (api.dialect !== 'swagger2') {
      const { pointer } = parameters.body ?? parameters.form[0] ?? operation;
      api.warnings.add(pointer, 'OpenAPI 3 has no body parameters. Executor read it as in Swagger 2.0.');
    }
    if (own(operation.value, 'requestBody') === undefined) return swaggerBody(operation, parameters, api);
  }
  const located = {
    value: own(operation.value, 'requestBody'),
    pointer: operation.pointer.at('requestBody'),
  };
  if (located.value === undefined || located.value === null) return undefined;
  const target = api.references.follow(located);
  if (!isObject(target?.value)) {
    api.warnings.add(located.pointer, 'The request body must be an object. Executor ignored it.');
    return undefined;
  }
  const choice = bestChoice(choicesOf(target, api), api);
  if (choice === undefined) return undefined;
  const description = textOf(own(target.value, 'description'));
  return { ...choice, required: own(target.value, 'required') === true, ...(description && { description }) };
}

function choicesOf({ value, pointer }: Located, { warnings }: Api): BodyChoice[] {
  const content = own(value, 'content');
  if (!isObject(content) || Object.keys(content).length === 0) {
    warnings.add(pointer, 'The request body has no content. Any JSON is allowed.');
    return [{ mediaType: 'application/json' }];
  }
  return Object.keys(content).map((mediaType) => {
    const mediaPointer = pointer.at('content').at(mediaType);
    const part = (key: string) => {
      const found = own(own(content, mediaType), key);
      return found === undefined || found === null
        ? undefined
        : { value: found, pointer: mediaPointer.at(key) };
    };
    const [schema, encoding] = [part('schema'), part('encoding')];
    return { mediaType, ...(schema && { schema }), ...(encoding && { encoding }) };
  });
}
