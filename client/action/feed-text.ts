import type { EventView } from "#src/events/schemas.ts";
import { formatShortMoney } from "../ui/money.ts";
import type { FeedLine } from "./table.ts";

const CENTS = 100;

/** "mira_k called True $10", in the words of the event that was called. */
export function feedText(line: FeedLine, events: readonly EventView[]): string {
  const event = events.find(({ id }) => id === line.eventId);
  const label = event?.spots.find((spot) => spot.side === line.side)?.label ?? line.side;
  return `${line.username} called ${label} ${formatShortMoney(Math.round(line.wager * CENTS))}`;
}
