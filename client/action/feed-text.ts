import type { EventView } from "#src/events/contract.ts";
import { formatShortMoney } from "../ui/money.ts";
import type { FeedLine } from "./table.ts";

const CENTS = 100;

/** "mira_k called True $10" */
export function feedText(line: FeedLine, event: EventView | null): string {
  const label = line.side === "true" ? (event?.trueLabel ?? "True") : (event?.falseLabel ?? "False");
  return `${line.username} called ${label} ${formatShortMoney(Math.round(line.wager * CENTS))}`;
}
