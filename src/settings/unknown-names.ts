import { settings, SettingsError } from "./settings.ts";

// Decision: a name that no setting has is refused in the product's own file, where nothing else belongs. An environment is shared with other
// programs, so there only a name that is nearly that of a setting is told.

/** What Bun, its libraries and the standards read: they apply to the product too. */
const ofOthers = /^(OTEL|NODE|BUN|MIMALLOC|SSL|LC)_|^(HTTPS?|NO)_PROXY$|^(TZ|LANG)$/;
const known = Object.keys(settings);
/** A shorter name is near to too many words. */
const LENGTH_MIN = 6;
const LONG_FROM = 10;

/** Names that are nearly that of a setting, each as a sentence. */
export function findMisspelled(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const meant = known.includes(name) ? undefined : nearestTo(name);
    return meant === undefined ? [] : [`${name} is no setting: ${meant} is.`];
  });
}

/** @param names in the product's own file. @throws SettingsError if one is of no setting. */
export function refuseUnknown(names: readonly string[]): void {
  const misspelled = findMisspelled(names);
  const others = names.filter(
    (name) => !known.includes(name) && !ofOthers.test(name) && nearestTo(name) === undefined,
  );
  const unknown = others.map((name) => `${name} is no setting: deploy/settings.md has all. Leave it out.`);
  if (misspelled.length + unknown.length > 0) throw new SettingsError([...misspelled, ...unknown].join("\n"));
}

function nearestTo(name: string): string | undefined {
  const within = (edits: number) => known.find((each) => isWithin(edits, name.toUpperCase(), each));
  if (name.length < LENGTH_MIN) return undefined;
  return within(1) ?? (name.length < LONG_FROM ? undefined : within(2));
}

/** True if so many edits make one word of the other: a letter more, less or another one, or two in the wrong order. */
function isWithin(edits: number, one: string, other: string): boolean {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [left, right] = [one.slice(at), other.slice(at)];
  if (left === right || edits === 0) return left === right;
  const isSwapped = left.length > 1 && left[0] === right[1] && left[1] === right[0];
  const skips = [[1, 0], [0, 1], [1, 1], ...(isSwapped ? [[2, 2]] : [])];
  return skips.some(([skipped, other]) => isWithin(edits - 1, left.slice(skipped), right.slice(other)));
}
