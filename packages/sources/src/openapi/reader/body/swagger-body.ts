import { type JsonObject, own, setOwn, stringsOf, textOf } from '../../../document/json.ts';
import type { Api } from '../operation/api.ts';
import { mediaKind } from '../operation/media-types.ts';
import type { Operation } from '../operation/operations.ts';
import { collectionStyle, parameterSchema } from '../operation/parameter-plan.ts';
import type { DeclaredParameter, DeclaredParameters } from '../operation/parameters.ts';
import { bestChoice, type DeclaredBody } from './body-choice.ts';

/** The body of a Swagger operation: its body parameter or its form parameters. */
export function swaggerBody(
  operation: Operation,
  { body, form }: DeclaredParameters,
  api: Api,
): DeclaredBody | undefined {
  const consumes = consumesOf(operation, api);
  if (body) {
    if (form.length > 0)
      api.warnings.add(
        operation.pointer,
        'The operation has a body and form fields. Executor used the body.',
      );
    return parameterBody(body, consumes.length > 0 ? consumes : ['application/json'], api);
  }
  return formBody(operation, form, { consumes, api });
}

function consumesOf(operation: Operation, api: Api): string[] {
  const consumes = own(operation.value, 'consumes') ?? own(api.root, 'consumes');
  return typeof consumes === 'string' ? [consumes] : stringsOf(consumes);
}

function parameterBody(body: DeclaredParameter, consumes: string[], api: Api): DeclaredBody | undefined {
  const schema = parameterSchema(body, api);
  // Swagger forms consist of form parameters, so a body with a form media type is JSON.
  const usable = consumes.filter((mediaType) => !['form', 'multipart'].includes(mediaKind(mediaType) ?? ''));
  const choices = (usable.length > 0 ? usable : ['application/json']).map((mediaType) => ({
    mediaType,
    schema,
  }));
  const choice = bestChoice(choices, api);
  const description = textOf(own(body.value, 'description'));
  return (
    choice && {
      ...choice,
      required: own(body.value, 'required') === true,
      ...(description && { description }),
    }
  );
}

function formBody(
  { pointer }: Operation,
  form: DeclaredParameter[],
  { consumes, api }: { consumes: string[]; api: Api },
): DeclaredBody | undefined {
  const properties: JsonObject = {};
  const encoding: JsonObject = {};
  for (const parameter of form) {
    const { value } = parameterSchema(parameter, api);
    const description = own(parameter.value, 'description');
    setOwn(properties, parameter.name, {
      ...(value as JsonObject),
      ...(description !== undefined && { description }),
    });
    if (own(parameter.value, 'type') === 'array') {
      setOwn(encoding, parameter.name, collectionStyle('formData', own(parameter.value, 'collectionFormat')));
    }
  }
  const required = form.filter(({ value }) => own(value, 'required') === true).map(({ name }) => name);
  const files = form.some(({ value }) => own(value, 'type') === 'file');
  const multipart =
    files ||
    (!consumes.includes('application/x-www-form-urlencoded') &&
      consumes.some((type) => mediaKind(type) === 'multipart'));
  return {
    kind: multipart ? 'multipart' : 'form',
    mediaType: multipart ? 'multipart/form-data' : 'application/x-www-form-urlencoded',
    required: required.length > 0,
    schema: { value: { type: 'object', properties, required }, pointer: pointer.at('parameters') },
    encoding: { value: encoding, pointer: pointer.at('parameters') },
  };
}
