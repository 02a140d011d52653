/**
 * A field as a sentence begins with it: "stateEvent" -> "State event", "defaults.leadSeconds" -> "Lead seconds of defaults",
 * "blueprintEvents.2.title" -> "Title of blueprint event 3".
 */
export function fieldName(field: string): string {
  const things: string[] = [];
  for (const part of field.split(".")) {
    if (/^\d+$/.test(part)) things.push(nth(things.pop(), Number(part) + 1));
    else things.push(part.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase());
  }
  const name = things.toReversed().join(" of ");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** One of a list, counted from 1. */
function nth(list = "items", number: number): string {
  return `${list.replace(/s$/, "")} ${number}`;
}
