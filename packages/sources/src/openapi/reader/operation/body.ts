import { isObject, own, textOf } from '../document/json.ts';
import type { Located } from '../document/place.ts';
import type { Api } from './api.ts';
import { type BodyChoice, bestChoice, type DeclaredBody } from './body-choice.ts';
import type { Operation } from './operations.ts';
import type { DeclaredParameters } from './parameters.ts';
import { swaggerBody } from './swagger-body.ts';

/** The body of an operation, if it has one. */
export function declaredBody(
  operation: Operation,
  parameters: DeclaredParameters,
  api: Api,
): DeclaredBody | undefined {
  if (parameters.body || parameters.form.length > 0) {
    if (api.dialect !== 'swagger2') {
      const { place } = parameters.body ?? parameters.form[0] ?? operation;
      api.warnings.add(place, 'OpenAPI 3 has no body parameters. Executor read it as in Swagger 2.0.');
    }
    if (own(operation.value, 'requestBody') === undefined) return swaggerBody(operation, parameters, api);
  }
  const located = { value: own(operation.value, 'requestBody'), place: operation.place.at('requestBody') };
  if (located.value === undefined || located.value === null) return undefined;
  const target = api.references.follow(located);
  if (!isObject(target?.value)) {
    api.warnings.add(located.place, 'The request body must be an object. Executor ignored it.');
    return undefined;
  }
  const choice = bestChoice(choicesOf(target, api), api);
  if (choice === undefined) return undefined;
  const description = textOf(own(target.value, 'description'));
  return { ...choice, required: own(target.value, 'required') === true, ...(description && { description }) };
}

function choicesOf({ value, place }: Located, { warnings }: Api): BodyChoice[] {
  const content = own(value, 'content');
  if (!isObject(content) || Object.keys(content).length === 0) {
    warnings.add(place, 'The request body has no content. Any JSON is allowed.');
    return [{ mediaType: 'application/json' }];
  }
  return Object.keys(content).map((mediaType) => {
    const inside = place.at('content').at(mediaType);
    const part = (key: string) => {
      const found = own(own(content, mediaType), key);
      return found === undefined || found === null ? undefined : { value: found, place: inside.at(key) };
    };
    const [schema, encoding] = [part('schema'), part('encoding')];
    return { mediaType, ...(schema && { schema }), ...(encoding && { encoding }) };
  });
}
