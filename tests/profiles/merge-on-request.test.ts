import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { signIns, users } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { Reader, readerFor } from "#tests/pages/ssr/browser.ts";
import { PASSWORD, userIn } from "#tests/people/users/person.ts";
import { buildCall, buildEvent, buildPlayer, only } from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { merging } from "./merging.ts";

const deps = await testDeps();
const { db } = deps.pool;
const server = createServer(deps);
const { session, host, comeIn, buildAccount, playEvent, merge, balanceOf, expectRight } = await merging(
  deps,
  server,
);
const asHost = await signedInClient(deps, server, host);

test("an admin merges a guest into a player's account on request, audited; the player is told", async () => {
  const [ana, ben] = [await buildAccount(), await buildPlayer(deps)];
  const { person, id } = await comeIn();
  await playEvent(id, ben.id);
  const send = (account: string, guestId = id) =>
    asHost.send("PUT", `/api/v1/users/${guestId}/merge`, { user: { account, reason: "Asked at the desk" } });
  const expectNothing = async (
    work: Promise<{ status: number; body: unknown }>,
    status: number,
    body: object,
  ) => {
    const before = await digestTables(db);
    expect(await work).toMatchObject({ status, body });
    expect(await digestTables(db)).toBe(before);
  };
  await expectNothing(send("nobody_at_all"), 422, {
    errors: { account: ["must be the name of an account"] },
  });
  await expectNothing(send(`guest_${id}`), 422, { errors: { account: ["must be the name of an account"] } });
  await expectNothing(send(host.username), 403, { code: "forbidden" });
  await expectNothing(send(ana.username, 999_999), 404, { code: "not_found" });
  await expectNothing(send(ana.username, ben.id), 409, { code: "no_guest" });
  expect(await send(ana.username.toUpperCase())).toMatchObject({
    status: 200,
    body: { user: { id, mergedInto: ana.id, username: ana.username } },
  });
  await expectNothing(send(ana.username), 409, { code: "no_guest" });
  expect((await person.get("/api/v1/users/me")).status).toBe(401);
  expect(await balanceOf(ana.id)).toBe(11_000);
  const asAna = await signedInClient(deps, server, ana);
  expect(await asAna.get("/api/v1/users/me")).toMatchObject({
    body: { user: { notifications: [{ kind: "security", body: "Asked at the desk" }] } },
  });
  for (const change of ["reactivate", "remove_name"])
    await expectNothing(asHost.send("PUT", `/api/v1/users/${id}/${change}`), 422, {
      detail: "This guest is a part of an account. Change that.",
    });
  await expectNothing(
    asHost.send("PATCH", `/api/v1/users/${id}`, { user: { username: "Other_Name" } }),
    422,
    {},
  );
  // The page of the guest leads to the account, which has the calls.
  const reader = await readerFor(deps, server, host);
  const page = await reader.open(`/users/${id}`);
  expect([page.status, page.location]).toEqual([302, `/users/${ana.id}?guest=merged`]);
  expect((await reader.open(page.location ?? "")).html).toContain("The guest is a part of this account");
  await expectRight();
});

test("a new name and the end of an account are also those of the guests that are a part of it", async () => {
  const [ana, ben] = [await buildAccount(), await buildPlayer(deps)];
  const { person, id } = await comeIn();
  await playEvent(id, ben.id);
  expect((await merge(person, ana.email)).status).toBe(200);
  await person.send("PATCH", `/api/v1/users/${ana.id}`, { body: { user: { username: "Renamed_Ana" } } });
  const guestRow = async () => only(await db.select().from(users).where(eq(users.id, id)));
  expect(await guestRow()).toMatchObject({ username: "Renamed_Ana", deletedAt: null });
  const deleted = await person.send("PUT", "/api/v1/users/me/delete", {
    body: { user: { current_password: PASSWORD } },
  });
  expect(deleted.status).toBe(204);
  expect(await guestRow()).toMatchObject({ username: `gone_${ana.id}`, mergedInto: ana.id });
  expect((await guestRow()).deletedAt).not.toBeNull();
  expect(await db.$count(signIns, eq(signIns.userId, id))).toBe(0);
  await expectRight();
});

test("without JavaScript: a guest ticks the box of the sign-in page; who is signed out has none", async () => {
  const [ana, ben] = [await buildAccount(), await buildPlayer(deps)];
  const reader = new Reader(server);
  expect((await reader.open("/users/sign_in")).html).not.toContain("merge_guest");
  const { id } = await userIn(
    await reader.send("POST", "/users/guest", { body: { user: { username: "Boxed" } } }),
  );
  await playEvent(id, ben.id);
  expect((await reader.open("/users/sign_in")).html).toContain("Make Boxed a part of my account.");
  const form = { "user[email]": String(ana.email), "user[password]": PASSWORD, "user[merge_guest]": "1" };
  const open = await buildEvent(deps, "open", { sessionId: session.id });
  await buildCall(deps, { userId: id, eventId: open.id });
  const refused = await reader.sendForm("/users/sign_in", form);
  expect([refused.status, refused.html]).toMatchObject([409, expect.stringContaining("Wait for the result")]);
  await resolveAndPay(deps, { eventId: open.id, actor: null, result: "void" });
  expect((await reader.sendForm("/users/sign_in", form)).status).toBe(302);
  expect(await balanceOf(ana.id)).toBe(11_000);
  await expectRight();
});
