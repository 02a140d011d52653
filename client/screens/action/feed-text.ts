import { formatShortMoney } from "#client/base/format/money.ts";
import * as texts from "#client/events/action-texts.ts";
import type { FeedEntry } from "#client/events/feed.ts";

/** "mira_k called True $10" */
export function feedText({ username, label, wagerCents }: FeedEntry): string {
  return texts.otherCalled(username, label, formatShortMoney(wagerCents));
}
