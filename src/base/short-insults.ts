// Decision: an insult that is also a part of names is one only where it stands as a word, alone or with an ending that makes it one.
// "Anushka", "Somporn", "Shittu", "Rangga" and "Gasmi" are names of people; a list of exceptions would never have them all. What may
// stand before it is said for the few that are made so. The entries are those of the word list, by their word there.

/** What may follow, by entry: nothing, or one of these. */
const endings: Readonly<Record<string, string>> = {
  abeed: "s",
  anal: "s|ly|sex",
  anus: "es",
  arse: "s|d|face|holes?",
  ass: "e?s|face|hats?|holes?|clowns?|wipes?|lick(?:er)?s?",
  bitch: "es|ed|ing|y|ass",
  bollocks: "s|ed|ing|y",
  boob: "s|y|ies?",
  chink: "s|y",
  cock: "s|(?:s?uck|lick)(?:ers?|ing)?|head|face",
  cuck: "s|ed|ing|olds?|boy",
  cum: "s|shots?|slut|bag|load|dumpster|guzzler",
  dick: "s|heads?|face|hole|less|wads?|weed|pics?|sucker|suck|y|ish",
  dyke: "s|y",
  fag: "s|g?ots?|gy|g?otry",
  felch: "es|ed|ing",
  incest: "uous|s",
  kike: "s",
  negro: "e?s|id",
  orgasm: "s|m?ic|m?ed|m?ing",
  orgy: "s",
  piss: "e[ds]|ers?|ing|y|head|off",
  porn: "s|o|y|hub|stars?|ograph(?:y|ic|er)s?",
  rape: "[ds]|y|toy",
  retard: "s|ed",
  shit: "s|t?y|t?ers?|t?ing|heads?|holes?|face|bags?|show|stain|less|lord|post|storm|bird|load",
  slut: "s|t?y|bag|whore",
  tit: "s|t?y|t?ies|t?ys",
  tranny: "s",
  turd: "s|y",
  twat: "s|t?y|t?ed",
  wank: "s|ers?|ing|ed|y|stain",
};
const beginnings: Readonly<Record<string, string>> = {
  shit: "bull|dip|horse|bat|ape|dog|dumb|holy",
  slut: "cum|whore",
};
/** What the list takes for another spelling, and is a name or a part of names: only a word of its own is an insult. */
const otherSpellings: readonly [RegExp, string][] = [
  [/^f[aeo]ck$/, "s|ed|ing|you|off"],
  [/^fu?k$/, "s|k|e[dr]|ers|in|ing|u|you|off|me|boy|n"],
  [/^ng+(?:er|a)$/, "s|z|h"],
];
/** Names, and no insults even as words: of China and Vietnam, and pits. */
const NEVER = /^(?:fu|bich|cockp)$/;

type Found = {
  /** The entry of the word list. */
  entry: string;
  text: string;
  start: number;
  /** The first character after it. */
  end: number;
};

/** False where what the word list has found is a part of a word that is no insult, as of a name. */
export function standsAsWord({ entry, text, start, end }: Found): boolean {
  const found = text.slice(start, end).toLowerCase();
  if (NEVER.test(found)) return false;
  const after = otherSpellings.find(([spelling]) => spelling.test(found))?.[1] ?? endings[entry];
  if (after === undefined) return true;
  const [before, rest] = [lettersBefore(text, start), lettersAfter(text, end)];
  return isOneOf(before, beginnings[entry] ?? "") && isOneOf(rest, after);
}

const isOneOf = (part: string, ones: string) => part === "" || new RegExp(`^(?:${ones})$`, "iu").test(part);

/** A capital after a small letter begins a word: "BigShit". */
function lettersBefore(text: string, start: number): string {
  const before = /\p{L}*$/u.exec(text.slice(0, start))?.[0] ?? "";
  return /\p{Ll}$/u.test(before) && /^\p{Lu}/u.test(text.slice(start)) ? "" : before;
}

function lettersAfter(text: string, end: number): string {
  const after = /^\p{L}*/u.exec(text.slice(end))?.[0] ?? "";
  return /^\p{Lu}/u.test(after) && /\p{Ll}$/u.test(text.slice(0, end)) ? "" : after;
}
