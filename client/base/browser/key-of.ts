/** Signs that a layout has in the place of one that a key is named by. */
const alike: Readonly<Record<string, string>> = { "؟": "?" };

/**
 * The name of the key that was pressed: what it types, or, where the layout has no such letter or digit, what a keyboard with Latin letters
 * has in its place. So P is the same key on a Cyrillic, Greek, Hebrew or Arabic layout, and 2 needs no Shift on a French or Czech one.
 * @param isBound true for the names that do something on this page: what is printed on a key comes first.
 */
export function keyOf(
  { key, code, shiftKey }: Pick<KeyboardEvent, "key" | "code" | "shiftKey">,
  isBound: (name: string) => boolean,
): string {
  const typed = alike[key] ?? key;
  if (isBound(typed) || /^[a-z\d]$/i.test(typed)) return typed;
  const [, letter, digit] = /^(?:Key([A-Z])|Digit(\d))$/.exec(code) ?? [];
  // With Shift a row of digits has signs: "!" is no 1.
  if (digit !== undefined) return shiftKey ? typed : digit;
  // "Enter", "Dead" and others are names of keys.
  return letter !== undefined && /^\P{ASCII}+$/u.test(typed) ? letter.toLowerCase() : typed;
}
