import { isObject, own, textOf } from '../../../document/json.ts';
import type { Located } from '../../../document/json-pointer.ts';
import type { ParameterPlan, ParameterStyle } from '../../operation.ts';
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
  const { value, pointer } = parameter;
  if (own(value, 'schema') !== undefined) return { value: value.schema, pointer: pointer.at('schema') };
  const content = contentOf(parameter);
  if (content) return content.schema;
  if (own(value, 'type') !== undefined || own(value, 'enum') !== undefined)
    return { value: withoutParameterKeywords(value), pointer };
  if (own(value, '$ref') === undefined) {
    warnings.add(pointer, `The parameter ${parameter.name} has no schema. Any value is allowed.`);
  }
  return { value: { description: value.description }, pointer };
}

/** In Swagger a parameter is its own schema. The parameter's own keywords are removed from it. */
function withoutParameterKeywords(value: Record<string, unknown>): Record<string, unknown> {
  const { name: _name, in: _in, required: _required, description: _description, ...schema } = value;
  return schema;
}

function contentOf({
  value,
  pointer,
}: DeclaredParameter): { mediaType: string; schema: Located } | undefined {
  const content = own(value, 'content');
  const mediaType = isObject(content) ? Object.keys(content)[0] : undefined;
  if (mediaType === undefined || own(value, 'schema') !== undefined) return undefined;
  const schema = own(own(content, mediaType), 'schema');
  return {
    mediaType,
    schema: { value: schema ?? true, pointer: pointer.at('content').at(mediaType).at('schema') },
  };
}

const stylesOf: Record<Parameter['in'], ParameterStyle[]> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'tabDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

function styleOf(
  { name, in: location, value, pointer }: Parameter,
  api: Api,
): { style: ParameterStyle; explode: boolean } {
  if (api.dialect === 'swagger2' || own(value, 'collectionFormat') !== undefined)
    return collectionStyle(location, own(value, 'collectionFormat'));
  const defaultStyle = stylesOf[location][0] as ParameterStyle;
  const declared = textOf(own(value, 'style'));
  const style = stylesOf[location].find((known) => known === declared) ?? defaultStyle;
  if (declared !== undefined && declared !== style) {
    api.warnings.add(
      pointer,
      `The style ${declared.slice(0, 50)} is not valid for ${name} in ${location}. Executor used ${defaultStyle}.`,
    );
  }
  const explode = own(value, 'explode');
  return { style, explode: typeof explode === 'boolean' ? explode : style === 'form' };
}

/** Maps Swagger's `collectionFormat` to styles. */
export function collectionStyle(
  location: Parameter['in'] | 'formData',
  format: unknown,
): { style: ParameterStyle; explode: boolean } {
  const plain = location === 'path' || location === 'header' ? 'simple' : 'form';
  if (plain === 'form' && format === 'multi') return { style: 'form', explode: true };
  if (format === 'ssv') return { style: 'spaceDelimited', explode: false };
  if (format === 'tsv') return { style: 'tabDelimited', explode: false };
  if (format === 'pipes') return { style: 'pipeDelimited', explode: false };
  return { style: plain, explode: false };
}
