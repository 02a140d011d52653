import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { INVITATION_USES_MAX, switchNames } from "../lists/switches.ts";
import { createdAt, identity, moment, oneOf, refersTo, rowId, within } from "./columns.ts";
import { users } from "./users.ts";

/** What an admin has turned off for the whole site. What has no row is on. */
export const switchedOff = pgTable(
  "switched_off",
  {
    id: identity(),
    name: text({ enum: switchNames }).notNull().unique("switched_off_once"),
    createdAt: createdAt(),
  },
  (table) => [check("switched_off_name_known", oneOf(table.name, switchNames))],
);

/** A link by which people create accounts, where REGISTRATION is invited. */
export const invitations = pgTable(
  "invitations",
  {
    id: identity(),
    secretHash: text().notNull().unique("invitations_secret"),
    madeById: refersTo(() => users.id),
    usesMax: integer().notNull(),
    uses: integer().notNull().default(0),
    expiresAt: moment().notNull(),
    revokedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    check("invitations_uses_max", within(table.usesMax, { min: 1, max: INVITATION_USES_MAX })),
    check("invitations_uses", sql`${table.uses} BETWEEN 0 AND ${table.usesMax}`),
  ],
);

export const invitationUses = pgTable(
  "invitation_uses",
  {
    userId: rowId()
      .primaryKey()
      .references(() => users.id),
    invitationId: refersTo(() => invitations.id),
    createdAt: createdAt(),
  },
  (table) => [index("invitation_uses_invitation").on(table.invitationId, table.userId)],
);
