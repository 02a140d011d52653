import { DataSet, englishDataset, englishRecommendedTransformers, RegExpMatcher } from "obscenity";
import { normalizeText } from "./normalize-text.ts";
import { invalid } from "./refusal.ts";

// The word list is that of `obscenity`. What it mistakes for a part of a name is said below; other mistakes go into the list
// of ordinary words. A text is judged as it looks, by normalizeText.

/** Of words and names, in which the word list sees an insult. */
const words = `
  annal bestial booby boobies cuckold dicky fagot fisting mafficking niggard penistone pennis pussycat pussyfoot pussytoe pussy-cat
  pussy-foot rappe trafficked trafficker trafficking twatt`;

/** Of several words; in questions and answers of a quiz most of all. */
const phrases = [
  "a cock crow",
  "andy dick",
  "blue tit",
  "blue tits",
  "bearded tit",
  "chink in the",
  "chinks in the",
  "clever dick",
  "coal tit",
  "cock a doodle",
  "cock and bull",
  "cock crow",
  "cock of the",
  "cock robin",
  "crested tit",
  "cum laude",
  "deadeye dick",
  "dick and jane",
  "dick barton",
  "dick bruna",
  "dick cheney",
  "dick tracy",
  "dick turpin",
  "dick van dyke",
  "dick whittington",
  "dildo, newfoundland",
  "fire retard",
  "flame retard",
  "great tit",
  "great tits",
  "marsh tit",
  "moby dick",
  "octopussy",
  "philip k dick",
  "philip k. dick",
  "prick up",
  "pricks up",
  "pussy riot",
  "pussy willow",
  "rape oil",
  "rio negro",
  "spastic colon",
  "spotted dick",
  "tailed tit",
  "tit for tat",
  "tom dick and",
  "tom, dick and",
  "tom, dick, and",
  "van dyke",
  "willow tit",
];

/**
 * Ordinary words and names in which the word list sees an insult. One allows every text that contains it: "trafficking" also in
 * "traffickings". So each is longer than the insult.
 */
const ordinaryWords = [...words.trim().split(/\s+/), ...phrases];

/** Of the list, but no insults: of rugby, jazz, biology and television. */
const notInsults: readonly unknown[] = ["hooker", "scat", "semen", "sex"];
const dataSet = new DataSet<{ originalWord: string }>()
  .addAll(englishDataset)
  .removePhrasesIf(({ metadata }) => notInsults.includes(metadata?.originalWord));
const { blacklistedTerms, whitelistedTerms = [] } = dataSet.build();
const badWords = new RegExpMatcher({
  blacklistedTerms,
  whitelistedTerms: [...whitelistedTerms, ...ordinaryWords],
  ...englishRecommendedTransformers,
});

/** Three or more single letters in a row: "f u c k", "f.u.c.k". */
const spelledOut =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}@$!](?:[^\p{L}\p{N}@$!]+[\p{L}\p{N}@$!](?![\p{L}\p{N}])){2,}/gu;
/** A sign within a word: "fu_ck", "fu.ck", "fu·ck". */
const signWithin = /(?<=[\p{L}\p{N}])[._*~+'’·-]+(?=[\p{L}\p{N}])/gu;
/** "Room 455" has a number, though digits are read as letters within a word. A single one may belong to a word that is spelled out. */
const numbers = /(?<![\p{L}\p{N}@$!|])\p{N}{2,}(?![\p{L}\p{N}@$!|])/gu;
const STROKE = /[1|]/;
const STROKES = /[1|]/g;
/** How an insult that was divided may go on. */
const ending = /^(?:s|ed|ers?|ing|y|head|face|hole)?(?![\p{L}\p{N}])/iu;
/** "Dick" is a first name before a surname, and a surname after an initial: "Dick Fosbury", "Philip K. Dick". */
const firstName =
  /(?<![\p{L}\p{N}])Dick(?=[ _](?:(?:[Vv]an|[Dd]er|[Dd]e|[Vv]on)[ _])*(?!Head|Face|Pic|Suck)[A-Z][a-z]{2,})|(?<=(?<!\p{L})[A-Z]\.? )Dick(?!\p{L})/gu;

/** The first bad word in a text, as written; null if there is none. */
export function findBadWord(original: string): string | null {
  const { text, originalOf } = normalizeText(original);
  const named = [firstName, numbers].reduce(
    (rest, known) => rest.replaceAll(known, (found) => "-".repeat(found.length)),
    text,
  );
  // A stroke may be an "i", as which the list reads "1", or an "l".
  for (const look of STROKE.test(named)
    ? [named.replaceAll("|", "1"), named.replaceAll(STROKES, "l")]
    : [named]) {
    const found = findPlain(look.replaceAll("_", " ")) ?? findDivided(look);
    if (found !== null) return originalOf(...found);
  }
  return null;
}

type Place = [start: number, end: number];

function findPlain(text: string): Place | null {
  for (const { 0: letters, index } of text.matchAll(spelledOut)) {
    const hasLetter = /\p{L}/u.test(letters);
    if (hasLetter && insultsIn(letters.replaceAll(/[^\p{L}\p{N}@$!]/gu, "")).length > 0)
      return [index, index + letters.length];
  }
  return insultsIn(text)[0] ?? null;
}

/** Where there are insults that are no parts of names. */
function insultsIn(text: string): Place[] {
  return matchesIn(text)
    .filter(({ entry, place: [start, end] }) => standsAsWord({ entry, text, start, end }))
    .map(({ place }) => place);
}

function matchesIn(text: string): { entry: string; place: Place }[] {
  return badWords.getAllMatches(text, true).map((match) => {
    const { startIndex, endIndex, phraseMetadata } = dataSet.getPayloadWithPhraseMetadata(match);
    return { entry: phraseMetadata?.originalWord ?? "", place: [startIndex, endIndex + 1] };
  });
}

/** A bad word that is divided by a sign and begins and ends with a part: "fu_ck", but neither "push_it" nor "an_alien". */
function findDivided(text: string): Place | null {
  const signs = [...text.matchAll(signWithin)];
  if (signs.length === 0) return null;
  let joined = "";
  let from = 0;
  /** For each character of the joined text, its place in the text. */
  const places: number[] = [];
  for (const { index, length } of [
    ...signs.map((sign) => ({ index: sign.index, length: sign[0].length })),
    end(text),
  ]) {
    for (let at = from; at < index; at += 1) places.push(at);
    joined += text.slice(from, index);
    from = index + length;
  }
  for (const { place } of matchesIn(joined)) {
    const [start, last] = [places[place[0]] ?? 0, places[place[1] - 1] ?? 0];
    const isDivided = last - start >= place[1] - place[0];
    if (isDivided && beginsPart(text, start) && endsPart(text, last + 1)) return [start, last + 1];
  }
  return null;
}

const end = (text: string) => ({ index: text.length, length: 0 });
const beginsPart = (text: string, at: number) => !/[\p{L}\p{N}]/u.test(text[at - 1] ?? " ");
const endsPart = (text: string, at: number) => ending.test(text.slice(at));

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
function standsAsWord({ entry, text, start, end }: Found): boolean {
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

/**
 * Refuses names with an insult: 422. Names stand where nobody has asked to read them: on leaderboards, links and the front door. The
 * questions and descriptions of a host are the host's.
 * @param names the names by their fields; those that are left out are fine.
 */
export function refuseUnfitName(names: Readonly<Record<string, string | undefined>>): void {
  const unfit = Object.keys(names).filter((field) => isUnfit(names[field] ?? ""));
  if (unfit.length === 0) return;
  throw invalid(Object.fromEntries(unfit.map((field) => [field, ["has a word that is not used here"]])));
}

/** A blank in a name may divide a word, as a line below may: "Fu Ck". */
const isUnfit = (name: string) =>
  [name, name.replaceAll(" ", "_")].some((each) => findBadWord(each) !== null);
