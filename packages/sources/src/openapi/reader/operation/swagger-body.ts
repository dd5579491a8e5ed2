import { type JsonObject, own, setOwn, stringsOf, textOf } from '../document/json.ts';
import type { Api } from './api.ts';
import { bestChoice, type DeclaredBody } from './body-choice.ts';
import { mediaKind } from './media-types.ts';
import type { Operation } from './operations.ts';
import { collectionStyle, parameterSchema } from './parameter-plan.ts';
import type { DeclaredParameter, DeclaredParameters } from './parameters.ts';

/** The body of a Swagger operation: its body parameter or its form parameters. */
export function swaggerBody(
  operation: Operation,
  { body, form }: DeclaredParameters,
  api: Api,
): DeclaredBody | undefined {
  const consumes = consumesOf(operation, api);
  if (body) {
    if (form.length > 0)
      api.warnings.add(operation.place, 'The operation has a body and form fields. Executor used the body.');
    return ofParameter(body, consumes.length > 0 ? consumes : ['application/json'], api);
  }
  return ofForm(operation, form, { consumes, api });
}

function consumesOf(operation: Operation, api: Api): string[] {
  const said = own(operation.value, 'consumes') ?? own(api.root, 'consumes');
  return typeof said === 'string' ? [said] : stringsOf(said);
}

function ofParameter(body: DeclaredParameter, consumes: string[], api: Api): DeclaredBody | undefined {
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

function ofForm(
  { place }: Operation,
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
    schema: { value: { type: 'object', properties, required }, place: place.at('parameters') },
    encoding: { value: encoding, place: place.at('parameters') },
  };
}
