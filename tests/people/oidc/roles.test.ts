import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { userRoles } from "#db/schema/users.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testWorld } from "#tests/support/world.ts";
import { userIn } from "../users/person.ts";
import { startProvider } from "./provider.ts";
import { Visitor } from "./visitor.ts";

const provider = await startProvider();
afterFile(() => provider.stop());
const { deps, db, by, client, server, build, read } = await testWorld({
  RATE_LIMITS: "off",
  ...provider.settings,
  OIDC_ROLES_CLAIM: "groups",
  OIDC_ADMINS: "quiz-admins, chiefs",
  OIDC_OPERATORS: "it",
  OIDC_HOSTS: "quiz-hosts",
});
expect(deps.env.oidc?.roles).toMatchObject({ admin: ["quiz-admins", "chiefs"], operator: ["it"] });

let count = 0;
/** Signs a person in, with these groups. @returns the browser, and the user as it sees itself. */
async function signIn(groups: unknown, id = `member-${(count += 1)}`) {
  provider.people.set(id, { email: `${id}@example.test`, email_verified: true, name: id, groups });
  const browser = new Visitor(server, provider);
  expect(await browser.signInAs(id)).toBe("/sessions");
  return { id, browser, user: await userIn(await browser.get("/api/v1/users/me")) };
}
const rolesIn = (userId: number) => read.audit({ action: "change_roles", subjectId: userId });

test("the values of the claim give roles at each sign-in, and take them away again, with lines in the audit", async () => {
  const first = await signIn(["it", "chiefs", "football"]);
  expect(first.user.roles).toEqual(["admin", "operator"]);
  expect((await first.browser.get("/api/v1/users")).status).toBe(200);
  const second = await signIn("it", first.id);
  expect(second.user.roles).toEqual(["operator"]);
  // The roles of a browser that was signed in before are gone with its sign-in.
  expect((await first.browser.get("/api/v1/users")).status).toBe(401);
  const third = await signIn(undefined, first.id);
  expect(third.user.roles).toEqual([]);
  expect(await rolesIn(first.user.id)).toMatchObject([
    { after: { roles: ["admin", "operator"] }, actorId: null, reason: "Acme: groups" },
    { before: { roles: ["admin", "operator"] }, after: { roles: ["operator"] } },
    { after: { roles: [] } },
  ]);
});

test("a sign-in that changes no role writes nothing and ends no other sign-in", async () => {
  const { id, browser, user } = await signIn(["it"]);
  await signIn(["it"], id);
  expect((await browser.get("/api/v1/users/me")).status).toBe(200);
  expect(await rolesIn(user.id)).toHaveLength(1);
});

test("what an admin has given stays without the claim", async () => {
  const { id, user } = await signIn([]);
  await db.insert(userRoles).values({ userId: user.id, role: "operator" });
  await signIn(["it"], id);
  expect((await signIn([], id)).user.roles).toEqual(["operator"]);
});

test("what the claim gave goes as an admin unlinks the account, and what an admin gave stays", async () => {
  const { user } = await signIn(["chiefs", "quiz-hosts"]);
  await db.insert(userRoles).values({ userId: user.id, role: "operator" });
  const admin = await build.admin();
  const asked = await (await client(admin)).send("PUT", `/api/v1/users/${user.id}/unlink`);
  expect(asked).toMatchObject({ status: 200, body: { user: { roles: ["operator"] } } });
  expect(await rolesIn(user.id)).toMatchObject([{}, { after: { roles: ["operator"] } }]);
});

test("a host gets each session that is not over, and loses what the claim gave", async () => {
  const over = await build.runningSession();
  const [running, given] = [await build.runningSession(), await build.session()];
  const { id, user } = await signIn([]);
  const admin = await build.admin();
  await by(admin).stop(over.id);
  await db.insert(sessionHosts).values({ sessionId: given.id, userId: user.id, madeById: admin.id });
  const hosted = async () => {
    const rows = await db.select().from(sessionHosts).where(eq(sessionHosts.userId, user.id));
    return rows.map(({ sessionId }) => sessionId);
  };
  await signIn(["quiz-hosts"], id);
  expect(await hosted()).toContain(running.id);
  expect(await hosted()).not.toContain(over.id);
  expect(await read.audit({ action: "add_session_host", subjectId: user.id })).toMatchObject([
    { sessionId: running.id, reason: "Acme: groups" },
  ]);
  await signIn([], id);
  expect(await hosted()).toEqual([given.id]);
  expect(await read.audit({ action: "remove_session_host", subjectId: user.id })).toHaveLength(1);
});
