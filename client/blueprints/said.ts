/** What is said after a form was sent, by the `said` of the page's address. */
const words = {
  created: "Created. Now its actions: paste them, or add them one by one.",
  saved: "Saved.",
  added: "Added at the end. Here is room for the next one.",
  removed: "Removed.",
  moved: "Moved.",
  pasted: "All lines were added at the end.",
  deleted: "The blueprint is deleted. Sessions that were made from it stay.",
} as const;

export type Said = keyof typeof words;

/** The sentence that an address asks for; null where it asks for none. */
export function saidIn(search: URLSearchParams): { said: Said; text: string } | null {
  const said = search.get("said") ?? "";
  return isSaid(said) ? { said, text: words[said] } : null;
}

function isSaid(said: string): said is Said {
  return Object.hasOwn(words, said);
}
