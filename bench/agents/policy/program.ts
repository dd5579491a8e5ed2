import type { AgentTask, Habits } from '../task.ts';
import { type Expression, type Placement, placeValues, setAt, treeText } from './arguments.ts';
import { filtersOf } from './filters.ts';
import { type Pager, pagerOf } from './paging.ts';
import { isComparison, neededFields, outputOf, partsOf, referencesIn, type StepState } from './plan.ts';
import { accessor, fieldFor, isKnown, type ListPlace, listIn, type Type, typeOfValue } from './types.ts';

/** A script for the next steps, and what its answer holds for each of them. */
export interface Program {
  code: string;
  outputs: Map<string, 'item' | 'items' | 'answer' | 'look'>;
  /** The step of each line. */
  lines: string[];
}

interface Writer {
  task: AgentTask;
  states: Map<string, StepState>;
  habits: Habits;
  code: string[];
  lines: string[];
  outputs: Program['outputs'];
  returned: Map<string, string>;
  /** The types of variables of this script. */
  variables: Map<string, Type>;
  /** How many actions the script has before the current step. */
  actions: number;
}

/** Writes code for as many of the next steps as possible: up to the first one whose answer has to be seen. */
export function writeProgram(task: AgentTask, states: Map<string, StepState>, habits: Habits): Program {
  const writer: Writer = {
    ...{
      task,
      states,
      habits,
      code: [],
      lines: [],
      outputs: new Map(),
      returned: new Map(),
      variables: new Map(),
    },
    actions: 0,
  };
  for (const state of states.values()) {
    if (state.result || !state.tool) continue;
    if (!isResolvable(writer, state)) break;
    if (writeStep(writer, state) === 'ends') return programOf(writer);
  }
  emit(writer, '', `return ${returnText(writer)};`);
  return programOf(writer);
}

function programOf({ code, outputs, lines }: Writer): Program {
  return { code: code.join('\n'), outputs, lines };
}

function emit({ code, lines }: Writer, step: string, text: string): void {
  for (const line of text.split('\n')) {
    code.push(line);
    lines.push(step);
  }
}

function returnText({ returned }: Writer): string {
  const parts = [...returned].map(([name, code]) => (name === code ? name : `${name}: ${code}`));
  return `{ ${parts.join(', ')} }`;
}

/** Whether the results that a step uses are known, or are variables of this script with a known type. */
function isResolvable({ states, variables }: Writer, { step }: StepState): boolean {
  const used = Object.values(step.values ?? {}).flatMap(referencesIn);
  return [...used.map((reference) => reference.step), ...(step.each ? [step.each] : [])].every(
    (name) => states.get(name)?.result !== undefined || variables.has(name),
  );
}

function writeStep(writer: Writer, state: StepState): 'goesOn' | 'ends' {
  const { step, tool } = state;
  if (!tool) return 'ends';
  const isAction = step.take === undefined;
  const values = valuesOf(writer, state);
  const placement = placeValues(values, tool.types.input, { isAction, fixes: state.fixes });
  if (state.waitMs > 0) emit(writer, step.as, `await sleep(${state.waitMs});`);
  if (isAction)
    return step.each ? writeEach(writer, state, placement) : writeAction(writer, state, placement);
  const output = outputOf(tool);
  const place = isKnown(output) ? listIn(output, step.as) : undefined;
  const unseen = place === undefined || !isKnown(place.items) || state.wantsLook;
  if (unseen || !canFilter(writer, state, { placement, place })) return writeLook(writer, state, placement);
  writeList(writer, state, { placement, place, values });
  return 'goesOn';
}

/** Whether the fields that filter and describe the items are known. */
function canFilter(
  { task }: Writer,
  state: StepState,
  { placement, place }: Pick<Listing, 'placement' | 'place'>,
): boolean {
  const { tool, step } = state;
  if (tool?.seen) return true;
  const comparisons = Object.entries(step.values ?? {}).filter(([, value]) => isComparison(value));
  const order = typeof step.take === 'object' ? Object.values(step.take) : [];
  const used = [
    ...placement.unplaced,
    ...comparisons.map(([name]) => name),
    ...order,
    ...neededFields(task, step.as),
  ];
  return used.every((name) => fieldFor(name, place.items) !== undefined);
}

/** Returns the whole answer, to see it. */
function writeLook(writer: Writer, { step, tool }: StepState, { tree }: Placement): 'ends' {
  writer.outputs.set(step.as, 'look');
  writer.returned.set(step.as, `await tools.${tool?.path}(${treeText(tree)})`);
  const parts = [...writer.returned].map(([name, code]) => (name === code ? name : `${name}: ${code}`));
  if (writer.outputs.size === 1)
    emit(writer, step.as, `return await tools.${tool?.path}(${treeText(tree)});`);
  else emit(writer, step.as, `return { ${parts.join(', ')} };`);
  return 'ends';
}

function writeAction(writer: Writer, { step, tool }: StepState, { tree }: Placement): 'goesOn' {
  const name = step.as;
  emit(writer, name, `const ${name} = await tools.${tool?.path}(${treeText(tree)});`);
  if (isFollowedByAction(writer, name))
    emit(writer, name, `console.log('finished', ${JSON.stringify(name)}, JSON.stringify(${name}));`);
  writer.actions += 1;
  writer.outputs.set(name, 'item');
  writer.returned.set(name, name);
  const output = tool && outputOf(tool);
  if (output && isKnown(output)) writer.variables.set(name, output);
  return 'goesOn';
}

function isFollowedByAction({ task }: Writer, name: string): boolean {
  const index = task.steps.findIndex(({ as }) => as === name);
  return task.steps.slice(index + 1).some(({ take }) => take === undefined);
}

/** Repeats an action for each item, together. The slip is the one that models make most. */
function writeEach({ habits, ...writer }: Writer, { step, tool }: StepState, { tree }: Placement): 'goesOn' {
  const list = step.each ?? '';
  const call = `await tools.${tool?.path}(${treeText(tree)})`;
  const source = writer.states.get(list)?.result;
  if (source?.type === 'items')
    emit({ habits, ...writer }, step.as, `const ${list} = ${JSON.stringify(source.value)};`);
  if (habits.forgetsToAwait) {
    emit({ habits, ...writer }, step.as, `${list}.forEach(async (item) => {\n  ${call};\n});`);
    writer.returned.set(step.as, `${list}.length`);
  } else {
    const all = `await Promise.all(${list}.map(async (item) => {\n  ${call};\n  return true;\n}))`;
    emit({ habits, ...writer }, step.as, `const ${step.as} = ${all};`);
    writer.returned.set(step.as, `${step.as}.length`);
  }
  writer.outputs.set(step.as, 'item');
  return 'goesOn';
}

interface Listing {
  placement: Placement;
  place: ListPlace;
  values: Map<string, Expression>;
}

/** Reads all pages that are needed, and picks the wanted items. */
function writeList(writer: Writer, state: StepState, { placement, place, values }: Listing): void {
  const { step } = state;
  const name = step.as;
  const rows = `${name}Rows`;
  writePages(writer, state, { placement, place, rows });
  const conditions = filtersOf(state, { placement, items: place.items, values });
  const filtered = conditions.length > 0 ? `${rows}.filter((row) => ${conditions.join(' && ')})` : rows;
  if (step.take === 'all') {
    emit(writer, name, `const ${name} = ${filtered};`);
    writer.variables.set(name, { kind: 'array', items: place.items });
    writer.outputs.set(name, answerOf(writer, name, place.items) === undefined ? 'items' : 'answer');
    writer.returned.set(
      name,
      answerOf(writer, name, place.items) ?? projectedItems(writer, name, place.items),
    );
    return;
  }
  emit(writer, name, `const ${name} = ${picked(filtered, state, place.items)};`);
  emit(
    writer,
    name,
    `if (!${name}) return { missing: '${name}', count: ${rows}.length, seen: ${rows}.slice(0, 2) };`,
  );
  writer.variables.set(name, place.items);
  writer.outputs.set(name, 'item');
  writer.returned.set(name, projection(writer, name, place.items));
}

function picked(filtered: string, { step: { take } }: StepState, items: Type): string {
  if (typeof take !== 'object') return `${filtered}[0]`;
  const [[direction, by] = ['most', '']] = Object.entries(take);
  const read = accessor(fieldFor(by, items)?.path ?? [by]);
  const order =
    direction === 'most' ? `Number(b${read}) - Number(a${read})` : `Number(a${read}) - Number(b${read})`;
  return `[...${filtered}].sort((a, b) => ${order})[0]`;
}

interface Pages {
  placement: Placement;
  place: ListPlace;
  rows: string;
}

function writePages(writer: Writer, state: StepState, { placement: { tree }, place, rows }: Pages): void {
  const { step, tool, nextPage } = state;
  if (!tool) return;
  const list = accessor(place.path);
  const pager = step.take === 'first' ? undefined : pagerOf(tool.types.input, outputOf(tool));
  const call = (input: string) => `await tools.${tool.path}(${input})`;
  if (nextPage) {
    emit(
      writer,
      step.as,
      `const ${rows} = [];\nlet ${rows}Input = ${treeText(tree)};\nfor (let n = 0; ${rows}Input && n < 50; n++) {\n  const part = ${call(`{ ...${rows}Input, $response: 'full' }`)};\n  ${rows}.push(...part.body${list});\n  ${rows}Input = part${accessor(nextPage.slice(-3))};\n}`,
    );
    return;
  }
  if (!pager) {
    emit(writer, step.as, `const ${rows} = (${call(treeText(tree))})${list};`);
    return;
  }
  if (pager.size && !state.fixes.dropped.has(pager.size.parameter.name)) {
    const { parameter, value } = pager.size;
    setAt(tree, parameter.path, state.fixes.codes.get(parameter.path.join('.')) ?? String(value));
  }
  emit(writer, step.as, pagesText({ pager, tree: { ...tree }, list, rows, call }));
}

interface PageLoop {
  pager: Pager;
  tree: Parameters<typeof setAt>[0];
  list: string;
  rows: string;
  call(input: string): string;
}

function pagesText({ pager, tree, list, rows, call }: PageLoop): string {
  const { parameter, next, kind } = pager;
  if (kind === 'cursor') {
    const first = treeText(tree);
    setAt(tree, parameter.path, `${rows}Next`);
    return `const ${rows} = [];\nlet ${rows}Next;\ndo {\n  const part = ${call(`${rows}Next ? ${treeText(tree)} : ${first}`)};\n  ${rows}.push(...part${list});\n  ${rows}Next = part${accessor(next ?? [])};\n} while (${rows}Next);`;
  }
  const start = kind === 'page' && !/\b0[ -]based|starts? (at|with) 0/i.test(parameter.comment) ? '1' : '0';
  setAt(tree, parameter.path, kind === 'page' ? 'page' : `${rows}.length`);
  return `const ${rows} = [];\nfor (let page = ${start}; page < 60; page++) {\n  const part = ${call(treeText(tree))};\n  ${rows}.push(...part${list});\n  if (part${list}.length === 0) break;\n}`;
}

/** The part of the final answer that this list gives, unless other steps need its items. */
function answerOf({ task }: Writer, name: string, items: Type): string | undefined {
  const [[form, of] = ['', '']] = Object.entries(task.answer);
  const { step, field } = partsOf(of);
  if (step !== name || task.steps.some(({ each }) => each === name)) return undefined;
  const read = accessor(fieldFor(field, items)?.path ?? [field]);
  if (form === 'count') return `${name}.length`;
  if (form === 'sum') return `${name}.reduce((sum, row) => sum + Number(row${read}), 0)`;
  return form === 'list' ? `${name}.map((row) => row${read})` : undefined;
}

function projectedItems({ task }: Writer, name: string, items: Type): string {
  const fields = neededFields(task, name);
  return fields.length === 0 ? name : `${name}.map((row) => (${fieldsText(fields, 'row', items)}))`;
}

function projection({ task }: Writer, name: string, items: Type): string {
  const fields = neededFields(task, name);
  return fields.length === 0 ? name : fieldsText(fields, name, items);
}

function fieldsText(fields: string[], variable: string, type: Type): string {
  const parts = fields.map(
    (field) => `${JSON.stringify(field)}: ${variable}${accessor(fieldFor(field, type)?.path ?? [field])}`,
  );
  return `{ ${parts.join(', ')} }`;
}

/** The values of a step as code. References lead to variables of this script or to results that are known. */
function valuesOf(writer: Writer, { step }: StepState): Map<string, Expression> {
  const values = new Map<string, Expression>();
  for (const [name, value] of Object.entries(step.values ?? {})) {
    if (isComparison(value)) continue;
    values.set(name, expressionOf(writer, step.each, value));
  }
  return values;
}

function expressionOf(writer: Writer, each: string | undefined, value: unknown): Expression {
  if (Array.isArray(value)) {
    const parts = value.map((item) => expressionOf(writer, each, item));
    const isReference = parts.some((part) => part.isReference);
    return {
      code: `[${parts.map(({ code }) => code).join(', ')}]`,
      value: parts.map((part) => part.value),
      isReference,
    };
  }
  const [reference] = referencesIn(value);
  if (!reference) return { code: JSON.stringify(value), value, isReference: false };
  return { ...referenceOf(writer, each, reference), isReference: true };
}

function referenceOf(
  writer: Writer,
  each: string | undefined,
  { step, field }: { step: string; field: string },
) {
  const result = writer.states.get(step)?.result;
  const isItem = step === each;
  if (result && isItem) {
    const sample = (result.value as unknown[])[0];
    const path = pathIn(sample, field);
    return { code: `item${accessor(path)}` };
  }
  if (result) {
    const value = (result.value as Record<string, unknown> | null)?.[field] ?? deep(result.value, field);
    return { code: JSON.stringify(value ?? null), value };
  }
  const type = writer.variables.get(step) ?? { kind: 'unknown' };
  const inner = isItem && type.kind === 'array' ? type.items : type;
  const path = fieldFor(field, inner)?.path ?? [field];
  return { code: `${isItem ? 'item' : step}${accessor(path)}` };
}

function pathIn(sample: unknown, field: string): string[] {
  if (typeof sample === 'object' && sample !== null && field in sample) return [field];
  return fieldFor(field, typeOfValue(sample))?.path ?? [field];
}

function deep(value: unknown, field: string): unknown {
  return pathIn(value, field).reduce<unknown>(
    (inner, name) => (inner as Record<string, unknown> | null)?.[name],
    value,
  );
}
