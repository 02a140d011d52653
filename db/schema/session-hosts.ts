import { boolean, index, pgTable, unique } from "drizzle-orm/pg-core";
import { createdAt, identity, refersTo } from "./columns.ts";
import { sessions } from "./sessions.ts";
import { users } from "./users.ts";

/** The hosts of one session: in it, and nowhere else, they may do what admins do (src/people/sign-ins/require-host.ts). */
export const sessionHosts = pgTable(
  "session_hosts",
  {
    id: identity(),
    sessionId: refersTo(() => sessions.id, { onDelete: "cascade" }),
    userId: refersTo(() => users.id),
    /** The admin who made the user a host; the user where a claim of the provider did. */
    madeById: refersTo(() => users.id),
    byClaim: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (table) => [
    // In the order of the sign-in, which reads all sessions of its user.
    unique("session_hosts_once").on(table.userId, table.sessionId),
    index("session_hosts_session").on(table.sessionId, table.id),
  ],
);
