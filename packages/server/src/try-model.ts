import { createEmbedder } from '@executor/embedding';

const waitMs = 60_000;

/** Why a language model does not work; undefined if it does. */
export async function tryModel(folders: {
  folder: string;
  modelFolder: string;
}): Promise<string | undefined> {
  let problem = 'it does not answer';
  const onProblem = (_: string, { reason }: Record<string, unknown>) => {
    problem = String(reason);
  };
  const embedder = createEmbedder({ ...folders, model: 'trial', onProblem });
  try {
    const vectors = await embedder.embed(['a text'], { type: 'request', owner: 'doctor', waitMs });
    return vectors ? undefined : problem;
  } finally {
    embedder.close();
  }
}
