import { lookOfName } from "#src/base/normalize-text.ts";
import { invalid } from "#src/base/refusal.ts";
import { refuseUnfitName } from "#src/base/refuse-unfit-name.ts";
import { GONE_PREFIX, GUEST_PREFIX } from "./contract.ts";

// Decision: a username is judged by its look, in which look-alikes of other scripts are plain letters.

/**
 * Refuses a username that is kept for the product, or has an insult: 422.
 * @param current the own name, which may stay although the list of insults has become longer.
 */
export function refuseUnfitUsername(username: string | undefined, current?: string): void {
  if (username === undefined) return;
  if (isReserved(username)) throw invalid({ username: ["is reserved"] });
  if (username !== current) refuseUnfitName({ username });
}

/** Names that could be mistaken for the operators or for a missing user. */
const reserved = new Set(
  `about account admin administrator anonymous api bank calledit cashier dashboard deleted everyone guest help host house info mail me
  moderator nobody null official operator owner profile robot root security session sessions settings staff superuser support system
  team undefined user users wallet webmaster you`.split(/\s+/),
);
/** Also beside other words: "Anna, official". The others are surnames too. */
const reservedWords = new Set(
  "admin administrator moderator official operator support superuser webmaster".split(" "),
);
const generated = new RegExp(`^(?:${GUEST_PREFIX}|${GONE_PREFIX}|(?:guest|gone)\\d+$)`);

/** True for a username that is kept for the product. */
export function isReserved(name: string): boolean {
  const look = plainLookOf(name);
  const words = look.split(/[ _.'-]+/);
  const whole = words.join("");
  return (
    reserved.has(whole) ||
    generated.test(look) ||
    generated.test(whole) ||
    words.some((word) => reservedWords.has(word.replace(/\d+$/, "")))
  );
}

/** What is left of a name that somebody tries to write in another way: its letters as they look, without accents. */
export const barePartOf = (name: string): string => plainLookOf(name).replaceAll(/[ _.'-]/g, "");

const plainLookOf = (name: string) => lookOfName(name).normalize("NFD").replaceAll(/\p{M}/gu, "");
