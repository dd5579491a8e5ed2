import { ExecutorError, printable, type Source } from '@executor/protocol';
import type { Environment } from '../../environment.ts';
import { connect } from '../../server/connect.ts';

interface DocumentOptions {
  file?: string;
  files?: true;
  json?: boolean;
}

export async function sourceDocument(
  environment: Environment,
  name: string,
  options: DocumentOptions,
): Promise<void> {
  const { file, files, json = false } = options;
  if (files)
    return listFiles(environment, await (await connect(environment)).sources.get({ id: name }), json);
  if (json) throw new ExecutorError('usage', '--json needs --files: a document is printed unchanged.');
  return printDocument(environment, name, file);
}

function listFiles(environment: Environment, { document, namespace }: Source, json: boolean): void {
  if (document === undefined) throw new ExecutorError('notFound', `The source ${namespace} has no document.`);
  const { name = 'the document', bytes, hash, files = [] } = document;
  const all = [{ name, bytes, hash }, ...files];
  if (json) environment.printJson({ items: all });
  else
    environment.printTable(
      ['FILE', 'BYTES'],
      all.map((file) => [printable(file.name), file.bytes.toLocaleString('en')]),
    );
}

/** Unchanged if piped. At a terminal, control characters are escaped. */
async function printDocument(
  environment: Environment,
  name: string,
  file: string | undefined,
): Promise<void> {
  const client = await connect(environment);
  const { bytes } = await client.sources.document({ id: name, ...(file !== undefined && { file }) });
  const text = environment.stdout.isTTY ? printable(Buffer.from(bytes).toString()) : bytes;
  await environment.writeBytes(text);
  const { document } = await client.sources.get({ id: name });
  const others = document?.files?.length ?? 0;
  if (file === undefined && others > 0)
    environment.printError(
      `It has ${others} more ${others === 1 ? 'file' : 'files'}: executor sources document ${name} --files`,
    );
}
