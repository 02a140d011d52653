import unhomoglyph from "unhomoglyph";

// Texts are judged as they look, on a copy: "fυck", "𝐟𝐮𝐜𝐤" and "fu\u00adck" read like the plain word. What is stored stays as it was
// written, so accents, joined emoji and Persian are whole. The look-alikes are Unicode's own table, in `unhomoglyph`.

/** A text as it looks, in plain letters, and where each of its characters was written. */
export type FoldedText = {
  text: string;
  /** The part of the original text that became the characters from `start` to `end`, with the marks on the last one. */
  originalOf: (start: number, end: number) => string;
};

/** What leaves no trace on the screen, or only marks the letter before it. */
const UNSEEN = /[\p{M}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\u2800\ufffc]/gu;
const NOT_ASCII = /\P{ASCII}/u;
/** Brackets and circles around a letter: "⒡" is "(f)". */
const LETTER = /[\p{L}\p{N}]/gu;

/** Small capitals and others that the table leaves out, because their shape is not quite the same: each letter with those. */
const letters =
  "aᴀɐ bʙᏼ cᴄɔↄ dᴅ eᴇəǝɘꬲ⋿𑢦𑢮 fꜰɟꬵꞙẝ gɢᶃƍ hʜɥᎻ iɪᴉı˛⍳ɩꙇꭵᎥ jᴊ kᴋʞ lʟꞁ mᴍɯ nɴ oᴏ pᴘⲣ qꞯ rʀɹꭇꭈⲅꮁ sꜱ tᴛʇ uᴜ vᴠʌ∨⋁ꮩ wᴡʍꭐ xꭓ yʏʎ zᴢ";
const alsoAlike = new Map(
  letters.split(" ").flatMap((group) => Array.from(group, (alike) => [alike, group.charAt(0)] as const)),
);

/** The text in plain letters as it looks. */
export function foldText(original: string): FoldedText {
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
