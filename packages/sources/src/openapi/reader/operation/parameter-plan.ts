import type { ParameterPlan, ParameterStyle } from '../../operation.ts';
import { isObject, own, textOf } from '../document/json.ts';
import type { Located } from '../document/place.ts';
import type { Api } from './api.ts';
import type { DeclaredParameter, DeclaredParameters } from './parameters.ts';

export type Parameter = DeclaredParameters['parameters'][number];

/** How the value of a parameter is written, without its input field. */
export function planParameter(parameter: Parameter, api: Api): Omit<ParameterPlan, 'field'> {
  const { name, value } = parameter;
  const content = contentOf(parameter)?.mediaType;
  const allowReserved = own(value, 'allowReserved') === true;
  return {
    name,
    in: parameter.in,
    ...styleOf(parameter, api),
    ...(allowReserved && { allowReserved }),
    ...(content !== undefined && { content }),
  };
}

/** The schema of a parameter in any dialect. */
export function parameterSchema(parameter: DeclaredParameter, { warnings }: Api): Located {
  const { value, place } = parameter;
  if (own(value, 'schema') !== undefined) return { value: value.schema, place: place.at('schema') };
  const content = contentOf(parameter);
  if (content) return content.schema;
  if (own(value, 'type') !== undefined || own(value, 'enum') !== undefined)
    return { value: withoutParameterWords(value), place };
  if (own(value, '$ref') === undefined) {
    warnings.add(place, `The parameter ${parameter.name} has no schema. Any value is allowed.`);
  }
  return { value: { description: value.description }, place };
}

/** In Swagger a parameter is its own schema. The parameter's own keywords are removed from it. */
function withoutParameterWords(value: Record<string, unknown>): Record<string, unknown> {
  const { name: _name, in: _in, required: _required, description: _description, ...schema } = value;
  return schema;
}

function contentOf({ value, place }: DeclaredParameter): { mediaType: string; schema: Located } | undefined {
  const content = own(value, 'content');
  const mediaType = isObject(content) ? Object.keys(content)[0] : undefined;
  if (mediaType === undefined || own(value, 'schema') !== undefined) return undefined;
  const schema = own(own(content, mediaType), 'schema');
  return {
    mediaType,
    schema: { value: schema ?? true, place: place.at('content').at(mediaType).at('schema') },
  };
}

const stylesOf: Record<Parameter['in'], ParameterStyle[]> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'tabDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

function styleOf(
  { name, in: where, value, place }: Parameter,
  api: Api,
): { style: ParameterStyle; explode: boolean } {
  if (api.dialect === 'swagger2' || own(value, 'collectionFormat') !== undefined)
    return collectionStyle(where, own(value, 'collectionFormat'));
  const usual = stylesOf[where][0] as ParameterStyle;
  const said = textOf(own(value, 'style'));
  const style = stylesOf[where].find((known) => known === said) ?? usual;
  if (said !== undefined && said !== style) {
    api.warnings.add(
      place,
      `The style ${said.slice(0, 50)} is not valid for ${name} in ${where}. Executor used ${usual}.`,
    );
  }
  const explode = own(value, 'explode');
  return { style, explode: typeof explode === 'boolean' ? explode : style === 'form' };
}

/** Maps Swagger's `collectionFormat` to styles. */
export function collectionStyle(
  where: Parameter['in'] | 'formData',
  format: unknown,
): { style: ParameterStyle; explode: boolean } {
  const plain = where === 'path' || where === 'header' ? 'simple' : 'form';
  if (plain === 'form' && format === 'multi') return { style: 'form', explode: true };
  if (format === 'ssv') return { style: 'spaceDelimited', explode: false };
  if (format === 'tsv') return { style: 'tabDelimited', explode: false };
  if (format === 'pipes') return { style: 'pipeDelimited', explode: false };
  return { style: plain, explode: false };
}
