import { isModelInstalled, modelFolder, shellQuote } from '@executor/home';
import { tryModel } from '@executor/server';
import { embeddingFolder } from '../assets.ts';
import { type Check, type Installation, ok, warning } from './check.ts';

/** Loads the language model of tool search. Empty if none is set. */
export async function checkModel({ config, folders }: Installation): Promise<Check[]> {
  const name = config['discovery.model'];
  if (name === undefined) return [];
  const folder = modelFolder(folders, name);
  const install = `executor config set discovery.model ${name}`;
  const without = 'so search compares meanings without it';
  if (!isModelInstalled(folder, name))
    return [warning('model', `${name} is not installed, ${without}`, `Install it: ${install}`)];
  const problem = await tryModel({ folder: embeddingFolder, modelFolder: folder });
  if (problem === undefined) return [ok('model', `${name} works`)];
  return [
    warning(
      'model',
      `${name} does not work (${problem}), ${without}`,
      `Install it again: rm -r ${shellQuote(folder)} && ${install}`,
    ),
  ];
}
