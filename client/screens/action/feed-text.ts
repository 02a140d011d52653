import { formatShortMoney } from "#client/base/format/money.ts";
import type { FeedEntry } from "#client/events/action-state.ts";
import { say } from "#src/http/contract.ts";

/** "mira_k called True $10" */
export function feedText({ username, label, wagerCents }: FeedEntry): string {
  return say`${username} called ${label} ${formatShortMoney(wagerCents)}`;
}
