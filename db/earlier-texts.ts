import { sql } from "drizzle-orm";
import { calls } from "./schema/calls.ts";
import { earlierTexts, events } from "./schema/events.ts";

// Decision: a call keeps the question and the labels that it was placed on. After a reset the event is a draft, which nobody but its
// hosts may read, and its texts can change. So what shows the event of a call takes its texts from here, and never from the event.

/** The texts that a call was placed on, if the event's have changed since. Join it ON TRUE, beside `calls`. */
export const earlierTextsOfCall = sql`LATERAL (
  SELECT asked.title, asked.true_label, asked.false_label FROM ${earlierTexts} asked
  WHERE asked.event_id = ${calls.eventId} AND asked.last_call_id >= ${calls.id}
  ORDER BY asked.last_call_id LIMIT 1) AS earlier`;

/** What a call was placed on, beside `events` and `earlierTextsOfCall`. */
export const earlierTextsOf = {
  eventTitle: sql<string>`coalesce(earlier.title, ${events.title})`,
  trueLabel: sql<string>`coalesce(earlier.true_label, ${events.trueLabel})`,
  falseLabel: sql<string>`coalesce(earlier.false_label, ${events.falseLabel})`,
};
