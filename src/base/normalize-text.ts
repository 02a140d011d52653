import unhomoglyph from "unhomoglyph";

// Texts are judged as they look, on a copy: a Greek letter, bold letters of mathematics and a soft hyphen hide no word. What is
// stored stays as it was written, so accents, joined emoji and Persian are whole. The look-alikes are Unicode's own table, in
// `unhomoglyph`.

/** A text as it looks, in plain letters, and where each of its characters was written. */
export type NormalizedText = {
  text: string;
  /** The part of the original text that became the characters from `start` to `end`, with the marks on the last one. */
  originalOf: (start: number, end: number) => string;
};

/** What leaves no trace on the screen, or only marks the letter before it. */
const UNSEEN = /[\p{M}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\u2800\ufffc]/gu;
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;
const NOT_ASCII = /\P{ASCII}/u;
/** Brackets and circles around a letter: one of them is "(f)". */
const LETTER = /[\p{L}\p{N}]/gu;

/** Small capitals, dots and others that the table leaves out, because their shape is not quite the same: each letter with those. */
const letters = [
  "a\u1d00\u0250 b\u0299\u13fc c\u1d04\u0254\u2184 d\u1d05",
  "e\u1d07\u0259\u01dd\u0258\uab32\u22ff\u{118a6}\u{118ae} f\ua730\u025f\uab35\ua799\u1e9d",
  "g\u0262\u1d83\u018d h\u029c\u0265\u13bb i\u026a\u1d09\u0131\u02db\u2373\u0269\ua647\uab75\u13a5 j\u1d0a",
  "k\u1d0b\u029e l\u029f\ua781 m\u1d0d\u026f n\u0274 o\u1d0f p\u1d18\u2ca3 q\ua7af",
  "r\u0280\u0279\uab47\uab48\u2c85\uab81 s\ua731 t\u1d1b\u0287 u\u1d1c v\u1d20\u028c\u2228\u22c1\uaba9",
  "w\u1d21\u028d\uab50 x\uab53 y\u028f\u028e z\u1d22",
  "\u00b7\u30fb\u2022\u2027",
];
const alsoAlike = new Map(
  letters
    .join(" ")
    .split(" ")
    .flatMap((group) => Array.from(group, (alike) => [alike, group.charAt(0)] as const)),
);

/** The text in plain letters as it looks. */
export function normalizeText(original: string): NormalizedText {
  let text = "";
  /** For each character of the copy, where the original one begins. */
  const places: number[] = [];
  let at = 0;
  for (const character of original) {
    const look = lookOf(character);
    for (let index = 0; index < look.length; index += 1) places.push(at);
    text += look;
    at += character.length;
  }
  return {
    text,
    originalOf: (start, end) => original.slice(places[start], places[end]),
  };
}

function lookOf(character: string): string {
  if (!NOT_ASCII.test(character)) return character;
  const plain = character.normalize("NFKD").replaceAll(UNSEEN, "");
  const seen = plain.match(LETTER) ?? Array.from(plain);
  return seen.map((letter) => alsoAlike.get(letter) ?? asciiOf(letter)).join("");
}

function asciiOf(letter: string): string {
  if (!NOT_ASCII.test(letter)) return letter;
  const alike = unhomoglyph(letter);
  if (NOT_ASCII.test(alike)) return letter;
  // A stroke may be an "i" or an "l".
  return alike === "l" || alike === "i" ? "1" : alike;
}

/**
 * A name as it looks, in small letters: two names that look the same have the same one, such as "Anna" with a Cyrillic A, and so do a
 * name and its capitals. Accents stay, because people tell "Zoë" from "Zoe", and so do all letters of ASCII.
 */
export function lookOfName(name: string): string {
  const plain = name.normalize("NFKD").replaceAll(IGNORED, "");
  const isMixed = /[a-z]/i.test(plain);
  return Array.from(plain, (letter) => smallLookOf(letter, isMixed))
    .join("")
    .normalize("NFC");
}

/**
 * Often only the capital or only the small letter looks like one of ASCII: then both are that one. Where they look like two, such as the
 * Greek Ν and ν, both are the capital's; beside letters of ASCII each is its own, because there it may stand for one.
 */
function smallLookOf(letter: string, isMixed: boolean): string {
  if (!NOT_ASCII.test(letter)) return letter.toLowerCase();
  const capital = letter.toUpperCase();
  // The "ς" that ends a word is a "σ".
  const small = capital.toLowerCase();
  const forms = isMixed ? [letter, small, capital] : [capital, small, letter];
  const alike = forms.find((each) => !NOT_ASCII.test(unhomoglyph(each)));
  if (alike === undefined) return alsoAlike.get(letter) ?? alsoAlike.get(small) ?? small;
  const look = unhomoglyph(alike);
  // A capital that is a stroke is an I.
  return look === "l" && alike !== alike.toLowerCase() ? "i" : look.toLowerCase();
}
