import { eq, sql } from "drizzle-orm";
import { mails } from "#db/schema/mails.ts";
import { users } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { type BuiltUser, only } from "#tests/support/build.ts";
import type { TestDeps } from "#tests/support/deps.ts";
import { linkMailedTo } from "./mailbox.ts";
import { type Person, openBrowser, buildMember } from "./person.ts";

export const NEW_PASSWORD = "something quite new";
/** The answer to every request for a mail, whatever the address. */
export const REQUEST_ANSWER = {
  message: "If this address is in our books and needs it, a mail with a link is on its way.",
};

/** A server with users who cannot sign in, and the requests by which they recover their accounts. */
export function recovering(deps: TestDeps) {
  const server = createServer(deps);
  const client = () => openBrowser(server);
  /** Moves all sent mails into the past, because each kind is sent only once a minute. */
  const later = () => deps.pool.db.update(mails).set({ sentAt: sql`${mails.sentAt} - interval '2 minutes'` });
  const ask = async (path: string, email: string | null) =>
    (await client()).send("POST", path, { body: { user: { email } } });
  return {
    server,
    client,
    later,
    ask,
    buildPerson: () => buildMember(deps),
    userOf: async ({ id }: { id: number }) =>
      only(await deps.pool.db.select().from(users).where(eq(users.id, id))),
    /** Requests a new password and returns the link from the mail. */
    resetLink: async ({ email }: BuiltUser): Promise<string> => {
      await later();
      await ask("/users/password", email);
      return linkMailedTo(deps, email);
    },
    reset: async (secret: string | undefined, password = NEW_PASSWORD, again = password, at?: Person) => {
      const user = { reset_password_token: secret, password, password_confirmation: again };
      return (at ?? (await client())).send("PUT", "/users/password", { body: { user } });
    },
  };
}
