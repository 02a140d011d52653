import type { EventView } from "#src/show/events/schemas.ts";
import { type News, resultToShow } from "./collect-news.ts";
import type { Memory } from "./memory.ts";

const nothing: Memory = { results: new Map(), notificationId: 0 };

/** The memory of a device on its first visit: all results that its page came with count as shown. */
export function firstMemory(events: readonly EventView[], notificationId: number): Memory {
  const results = events.flatMap((event) => {
    const shown = resultToShow(event, nothing);
    return shown === null ? [] : [[event.id, shown] as const];
  });
  return { results: new Map(results), notificationId };
}

/** The memory after these news were shown. */
export function withShown(memory: Memory, news: readonly News[]): Memory {
  const results = new Map(memory.results);
  let { notificationId } = memory;
  for (const covered of news.flatMap(({ covers }) => covers)) {
    if (covered.kind === "notification") notificationId = Math.max(notificationId, covered.id);
    else {
      results.delete(covered.eventId);
      results.set(covered.eventId, covered.shown);
    }
  }
  return { results, notificationId };
}
