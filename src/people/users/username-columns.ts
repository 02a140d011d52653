import { type SQL, sql } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import { lookOfName } from "#src/base/normalize-text.ts";
import { writeUsername } from "./usernames/contract.ts";

/** What a username is in the users' table: as it is written, and as it looks. */
export const usernameColumns = (username: string) => ({ username, usernameLook: lookOfName(username) });

/** Whether a user has a name, in any case and in any letters that look the same. */
export const isNamed = (name: string): SQL<boolean> =>
  sql`${users.usernameLook} = ${lookOfName(writeUsername(name))}`;
