import { DataSet, englishDataset, englishRecommendedTransformers, RegExpMatcher } from "obscenity";
import { normalizeText } from "./normalize-text.ts";

// The word list is that of `obscenity`. What it mistakes goes into the list of ordinary words. A text is judged as it looks, by normalizeText.

/** Of words, in which the word list sees an insult. */
const words = `
  analcim analcit analect analemma analeptic analges analget analgi analphabet annal artisanal cryptanal disanal epanal metanal
  misanal overanal preanaly reanal uranal tanalis membranal pandanus pannus totanus assegai assonan assort asswage
  boobook booby boobies boobird haboob bitchen bestial chinkapin chinkara pachinko cockpit cockscomb cocksfoot cockspur cocksure
  cockswain cockshy cuckold cumacea cumar cumec cumin cummerbund cummin cumquat cumshaw dickcissel dicker dickey dickie dicky
  medick niddick feckless fisting klondyke vandyke fagaceous fagot mafficking trafficked trafficker trafficking mishit
  niggard negroni shiitake shitzu shittah shittim slutch pennis pissarro pissoir pissasphalt pinprick pussycat pussyfoot pussytoe
  pussy-cat pussy-foot rappe rapeseed retardant ritard swank titbit turdus twattl uranalys`;

/** Of names of people and places. */
const names = `
  arsene cummings dickens dickins dickson dickon fagan fagin fukuda fukui fukuka fukuo fukus fukuy ishita harshit akshit
  nishit likshit dikshit akshita oshita ushita ashita penistone slutsk twatt wankdorf wankel wankhede
  wankie cockburn buttigieg montenegro vandyck mobydick dickvandyke dicktracy`;

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
const ordinaryWords = [...words.trim().split(/\s+/), ...names.trim().split(/\s+/), ...phrases];

/** Of the list, but no insults: of rugby, jazz, biology and television. */
const notInsults: readonly unknown[] = ["hooker", "scat", "semen", "sex"];
const { blacklistedTerms, whitelistedTerms = [] } = new DataSet<{ originalWord: string }>()
  .addAll(englishDataset)
  .removePhrasesIf(({ metadata }) => notInsults.includes(metadata?.originalWord))
  .build();
const badWords = new RegExpMatcher({
  blacklistedTerms,
  whitelistedTerms: [...whitelistedTerms, ...ordinaryWords],
  ...englishRecommendedTransformers,
});

/** Three or more single letters in a row: "f u c k", "f.u.c.k". */
const spelledOut =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}@$!](?:[^\p{L}\p{N}@$!]+[\p{L}\p{N}@$!](?![\p{L}\p{N}])){2,}/gu;
/** A sign within a word: "fu_ck", "fu.ck". */
const signWithin = /(?<=[\p{L}\p{N}])[._*~+-]+(?=[\p{L}\p{N}])/gu;
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

/** Where something begins and ends in a text. */
type Place = [start: number, end: number];

function findPlain(text: string): Place | null {
  for (const { 0: letters, index } of text.matchAll(spelledOut)) {
    const hasLetter = /\p{L}/u.test(letters);
    if (hasLetter && badWords.hasMatch(letters.replaceAll(/[^\p{L}\p{N}@$!]/gu, "")))
      return [index, index + letters.length];
  }
  const [first] = badWords.getAllMatches(text, true);
  return first === undefined ? null : [first.startIndex, first.endIndex + 1];
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
  for (const { startIndex, endIndex } of badWords.getAllMatches(joined, true)) {
    const [start, last] = [places[startIndex] ?? 0, places[endIndex] ?? 0];
    if (beginsPart(text, start) && endsPart(text, last + 1)) return [start, last + 1];
  }
  return null;
}

const end = (text: string) => ({ index: text.length, length: 0 });
const beginsPart = (text: string, at: number) => !/[\p{L}\p{N}]/u.test(text[at - 1] ?? " ");
const endsPart = (text: string, at: number) => ending.test(text.slice(at));
