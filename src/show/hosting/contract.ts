import { results } from "#db/lists/events.ts";

/** What a host can arm for an event: a result, or a skip. */
export const armedActs = [...results, "skip"] as const;
export type ArmedAct = (typeof armedActs)[number];

/** How often the page of a host reports that it is there. */
export const HOST_EVERY_MS = 5_000;
/** A host whose page has not reported for so long is gone. */
export const HOST_LIFETIME_MS = 12_000;
