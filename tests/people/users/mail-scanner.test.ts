import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { mailKinds } from "#db/lists/mails.ts";
import { mails } from "#db/schema/mails.ts";
import { sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { buildPlayer, buildSession } from "#tests/support/build.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { testDeps } from "#tests/support/deps.ts";
import { openMailbox } from "./mailbox.ts";
import { Person } from "./person.ts";

const deps = await testDeps({ RATE_LIMITS: "off" });
const server = createServer(deps);

test("what opens the links of all mails, as mail scanners and browsers do ahead, confirms, unlocks and changes nothing", async () => {
  const { db } = deps.pool;
  const user = await buildPlayer(deps);
  const { id: sessionId } = await buildSession(deps);
  const startsAt = sql`game_now() + interval '10 minutes'`;
  await db.update(sessions).set({ startsAt }).where(eq(sessions.id, sessionId));
  const locked = { confirmedAt: null, failedAttempts: 20, lockedAt: sql`clock_timestamp()` };
  await db.update(users).set(locked).where(eq(users.id, user.id));
  const recipient = String(user.email);
  for (const kind of mailKinds)
    await db.insert(mails).values({ kind, recipient, userId: user.id, sessionId });
  const texts = (await openMailbox(deps, user.email)).map(({ text }) => text).join("\n");
  const links = [...texts.matchAll(/https?:\/\/\S+/g)].map(([url]) =>
    new URL(url).href.replace(deps.env.publicUrl, ""),
  );
  const paths = links.map((link) => link.split("?")[0]?.replace(/session-[^/]*/, ":id") ?? "");
  expect([...new Set(paths)].toSorted()).toEqual([
    "/sessions/:id",
    "/sessions/:id/remind",
    "/users/confirmation",
    "/users/password/edit",
    "/users/unlock",
  ]);
  const before = await digestTables(db);
  const scanner = new Person(server);
  const requests = links.flatMap((link) => [
    { method: "GET", link },
    { method: "HEAD", link },
  ]);
  for (const { method, link } of requests)
    for (const accept of ["text/html", "application/json"])
      for (const purpose of ["", "prefetch;prerender"])
        await scanner.send(method, link, { headers: { accept, "sec-purpose": purpose } });
  expect(await digestTables(db)).toBe(before);
});
