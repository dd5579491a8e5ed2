import type { AgentTask, Comparison, Step } from '../task.ts';
import { type Fixes, noFixes } from './arguments.ts';
import type { Candidate } from './reading.ts';
import { readSignature, type Signature } from './type-text.ts';
import type { Type } from './types.ts';

/** What the agent knows about a step. */
export interface StepState {
  step: Step;
  candidates: Candidate[];
  /** Paths that did not work. */
  rejected: Set<string>;
  tool?: KnownTool;
  fixes: Fixes;
  /** Asks to see an answer of the tool before code uses it. */
  wantsLook: boolean;
  /** The parameter that leads to further pages, if only an answer showed it. */
  nextPage?: string[];
  waitMs: number;
  errors: Map<string, number>;
  result?: StepResult;
}

export interface KnownTool extends Candidate {
  types: Signature;
  isDescribed: boolean;
  /** The type of an answer that was seen. It replaces the type in the signature. */
  seen?: Type;
}

type StepResult =
  | { type: 'item'; value: unknown }
  | { type: 'items'; value: unknown[] }
  /** The part of the final answer that the code computed. */
  | { type: 'answer'; value: unknown };

export function stateOf(step: Step): StepState {
  return {
    step,
    candidates: [],
    rejected: new Set(),
    fixes: noFixes(),
    wantsLook: false,
    waitMs: 0,
    errors: new Map(),
  };
}

export function knownTool(candidate: Candidate): KnownTool {
  return { ...candidate, types: readSignature(candidate.signature), isDescribed: false };
}

export function outputOf({ seen, types }: KnownTool): Type {
  return seen ?? types.output;
}

/** The fields of a step's result that later steps and the answer use. */
export function neededFields({ steps, answer }: AgentTask, name: string): string[] {
  const references = steps.flatMap(({ values = {} }) => Object.values(values).flatMap(referencesIn));
  const used = references.filter(({ step }) => step === name).map(({ field }) => field);
  return [...new Set([...used, ...fieldOfAnswer(answer, name)])];
}

function fieldOfAnswer(answer: AgentTask['answer'], name: string): string[] {
  const [[form, of] = ['', '']] = Object.entries(answer);
  const { step, field } = partsOf(of);
  return step === name && (form === 'value' || form === 'list' || form === 'sum') ? [field] : [];
}

export interface Reference {
  step: string;
  field: string;
}

export function referencesIn(value: unknown): Reference[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  return typeof value === 'string' && value.startsWith('@') ? [partsOf(value.slice(1))] : [];
}

export function partsOf(text: string): Reference {
  const [step = '', ...field] = text.split('.');
  return { step, field: field.join('.') };
}

export function isComparison(value: unknown): value is Comparison {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
