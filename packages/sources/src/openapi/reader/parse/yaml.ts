import {
  CORE_SCHEMA,
  constructFromEvents,
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  EVENT_ID,
  type Event,
  mapTag,
  mergeTag,
  parseEvents,
  seqTag,
  YAMLException,
} from 'js-yaml';
import { maxDepth } from '../../../document/depth.ts';
import { UnusableDocumentError } from '../document/document.ts';
import { expandedNodes } from './expanded-nodes.ts';

/** Limit for a document with all aliases expanded. */
const maxNodes = 5_000_000;
const maxMergedKeys = 200_000;

/**
 * YAML 1.2 with merge keys: dates, `no` and `on` are strings. Custom tags are ignored. Repeated keys and tabs are
 * accepted with a warning.
 */
const schema = CORE_SCHEMA.withTags(
  mergeTag,
  defineScalarTag('!', { matchByTagPrefix: true, resolve: (source) => source, identify: () => false }),
  defineSequenceTag('!', { ...seqTag, matchByTagPrefix: true, identify: () => false }),
  defineMappingTag('!', { ...mapTag, matchByTagPrefix: true, identify: () => false }),
);

export function parseYaml(text: string): { root: unknown; warnings: string[] } {
  const warnings: string[] = [];
  const { events, source } = eventsOf(text, warnings);
  const documents = construct(events, source, warnings).filter((document) => document !== null);
  if (documents.length > 1)
    warnings.push('The file contains several documents. Executor read the first one.');
  const root = documents[0];
  if (events.some(({ type }) => type === EVENT_ID.ALIAS) && expandedNodes(root, maxNodes) === undefined) {
    throw new UnusableDocumentError(
      `The YAML aliases of the document expand to more than ${maxNodes} values or contain themselves. Use a document without such aliases.`,
    );
  }
  return { root, warnings };
}

function eventsOf(text: string, warnings: string[]): { events: Event[]; source: string } {
  try {
    return { events: parseEvents(text, { maxDepth }), source: text };
  } catch (error) {
    if (!(error instanceof YAMLException) || !/^[ \t]*\t/m.test(text)) throw error;
    const source = text.replace(/^[ \t]+/gm, (indentation) => indentation.replaceAll('\t', '  '));
    const events = parseEvents(source, { maxDepth });
    warnings.push(
      'The document is indented with tabs, which YAML forbids. Executor read each tab as two spaces.',
    );
    return { events, source };
  }
}

function construct(events: Event[], source: string, warnings: string[]): unknown[] {
  const options = { source, schema, maxTotalMergeKeys: maxMergedKeys };
  try {
    return constructFromEvents(events, options);
  } catch (error) {
    if (!(error instanceof YAMLException) || error.reason !== 'duplicated mapping key') throw error;
    const line = error.mark ? ` at line ${error.mark.line + 1}` : '';
    const documents = constructFromEvents(events, { ...options, json: true });
    warnings.push(`A key is repeated${line}. Executor used the last value of each repeated key.`);
    return documents;
  }
}
