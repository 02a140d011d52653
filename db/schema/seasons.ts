import { sql } from "drizzle-orm";
import { check, pgTable, text, unique } from "drizzle-orm/pg-core";
import { createdAt, identity, moment } from "./columns.ts";

/**
 * A named span of time with a leaderboard of its own. Seasons do not overlap: the migration that adds the table has an exclusion
 * constraint, `seasons_apart`, which the schema cannot say. Their scores are computed: src/play/leaderboard/season-scores.ts.
 */
export const seasons = pgTable(
  "seasons",
  {
    id: identity(),
    /** Made from the first name. It stays, because links depend on it. */
    slug: text().notNull(),
    name: text().notNull(),
    startsAt: moment().notNull(),
    /** The first moment that is not in the season. */
    endsAt: moment().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    unique("seasons_slug").on(table.slug),
    check("seasons_span", sql`${table.startsAt} < ${table.endsAt}`),
  ],
);
