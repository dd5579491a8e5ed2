import { expect, test } from 'vitest';
import { examples } from '../../../test/examples.ts';
import { read } from '../../../test/read.ts';
import { faultsOf } from '../../../test/soundness.ts';

test.each(examples())(
  'every operation of $path becomes a tool with valid schemas',
  async ({ path, bytes }) => {
    const { tools, definition, warnings } = await read(bytes);
    expect(faultsOf(tools, definition)).toEqual([]);
    if (path.endsWith('.json')) expect(tools).toHaveLength(operationsIn(JSON.parse(bytes.toString())));
    expect(warnings.map(({ message }) => message).filter((message) => !knownFaults.test(message))).toEqual(
      [],
    );
  },
);

/** Real faults of some examples. */
const knownFaults = /security scheme api_key is not declared|has no paths/;

function operationsIn({ paths = {} }: { paths?: Record<string, object> }): number {
  const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
  return Object.values(paths).flatMap((item) =>
    Object.keys(item).filter((key) => methods.includes(key) || key === '$ref'),
  ).length;
}

test('JSON and YAML of the same document give the same tools', async () => {
  const all = new Map(examples().map(({ path, bytes }) => [path, bytes]));
  const same = ['3.0/json/petstore.json', '3.0/json/parameters-style.json', '2.0/json/petstore.json'];
  for (const path of same) {
    const [json, yaml] = [all.get(path), all.get(path.replaceAll('json', 'yaml'))];
    const rows = async (bytes: Buffer | undefined) =>
      (await read(bytes)).tools.map(({ path: at, version }) => [at, version]);
    expect(await rows(yaml)).toEqual(await rows(json));
  }
});
