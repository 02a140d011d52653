import { formatShortMoney } from "#client/base/format/money.ts";
import type { FeedEntry } from "#client/events/action-state.ts";
import * as texts from "#client/events/action-texts.ts";
import type { EventView } from "#src/show/events/schemas.ts";

/** "mira_k called True $10", with the label of the event's side. */
export function feedText(entry: FeedEntry, events: readonly EventView[]): string {
  const event = events.find(({ id }) => id === entry.eventId);
  const label = event?.spots.find((spot) => spot.side === entry.side)?.label ?? entry.side;
  return texts.otherCalled(entry.username, label, formatShortMoney(entry.wagerCents));
}
