// Decision: what depends on a stored word is looked up by a function, because a row may have a word of a newer release: during an
// upgrade, and after one was taken back. Its label is then the word as plain text, and its look that of `otherwise`.

/** The labels of stored words. A word without a label does not compile. */
export function labelsOf<Word extends string>(
  labels: Readonly<Record<Word, string>>,
): (word: Word) => string {
  return (word) => (Object.hasOwn(labels, word) ? labels[word] : word.replaceAll("_", " "));
}

/** What belongs to each stored word, such as its icon. */
export function entriesOf<Word extends string, Entry>(
  entries: Readonly<Record<Word, Entry>>,
  otherwise: NoInfer<Entry>,
): (word: Word) => Entry {
  return (word) => (Object.hasOwn(entries, word) ? entries[word] : otherwise);
}
