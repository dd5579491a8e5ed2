const sentences = new WeakMap<object, string>();
const { get, set } = WeakMap.prototype;

/** What a thing says that is only there to say that it is not. */
export function sentenceOf(value: object): string | undefined {
  return get.call(sentences, value) as string | undefined;
}

export function keepSentence(standIn: object, sentence: string): void {
  set.call(sentences, standIn, sentence);
}
