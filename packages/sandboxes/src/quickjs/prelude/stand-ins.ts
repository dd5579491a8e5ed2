const sentences = new WeakMap<object, string>();
const { get, set } = WeakMap.prototype;

/** The message of a stand-in for a missing global. */
export function sentenceOf(value: object): string | undefined {
  return get.call(sentences, value) as string | undefined;
}

export function keepSentence(standIn: object, sentence: string): void {
  set.call(sentences, standIn, sentence);
}
