import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { passkeys } from "#db/schema/passkeys.ts";
import { signIns, userRoles, users } from "#db/schema/users.ts";
import { resetPassword } from "#src/people/users/change-password.ts";
import { AdminRefused, makeAdmin } from "#src/people/users/make-admin.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, build, db, read, signIn } = await testWorld();

const findUser = async (email: string) => (await db.select().from(users).where(eq(users.email, email))).at(0);
const rolesOf = async (userId: number) =>
  (await db.select({ role: userRoles.role }).from(userRoles).where(eq(userRoles.userId, userId))).map(
    ({ role }) => role,
  );
const auditOf = (subjectId: number) => read.audit({ subjectType: "user", subjectId });
const secretIn = (url: string | null) => new URL(url ?? "").searchParams.get("reset_password_token") ?? "";

/** Refused, with the sentence that says why. */
async function refused(email: string): Promise<string> {
  const error: unknown = await makeAdmin(deps, email).catch((thrown: unknown) => thrown);
  if (!(error instanceof AdminRefused)) throw new Error("not refused");
  return error.message;
}

/** A player whose address is confirmed, with a password. */
async function buildMember(changes: Partial<typeof users.$inferInsert> = {}) {
  const { id } = await build.player();
  const [user] = await db
    .update(users)
    .set({ passwordHash: "a hash", ...changes })
    .where(eq(users.id, id))
    .returning();
  return { id, email: user?.email ?? "", username: user?.username ?? "" };
}

test("a user with a confirmed address becomes an admin once, with an entry in the audit, and has to sign in again", async () => {
  const { id, email, username } = await buildMember();
  await signIn({ id });
  expect(await makeAdmin(deps, ` ${email.toUpperCase()} `)).toEqual({
    username,
    change: "promoted",
    passwordUrl: null,
    passkeys: [],
  });
  expect(await rolesOf(id)).toEqual(["admin"]);
  expect((await auditOf(id))[0]).toMatchObject({
    actorId: null,
    action: "change_roles",
    before: { roles: [] },
    after: { roles: ["admin"] },
    reason: "bun run admin",
  });
  const [ended] = await db.select().from(signIns).where(eq(signIns.userId, id));
  expect(ended?.endedAt).not.toBeNull();
  expect(await makeAdmin(deps, email)).toMatchObject({ change: "none" });
  expect(await auditOf(id)).toHaveLength(1);
});

test("an operator stays one", async () => {
  const { id, email } = await buildMember();
  await db.insert(userRoles).values({ userId: id, role: "operator" });
  await makeAdmin(deps, email);
  expect((await rolesOf(id)).toSorted()).toEqual(["admin", "operator"]);
});

test("an unknown address gets an account, whose password is chosen by the link", async () => {
  const made = await makeAdmin(deps, "nora.berg@example.com");
  expect(made).toMatchObject({ username: "nora_berg", change: "created" });
  const { userId } = await resetPassword(deps, {
    resetPasswordToken: secretIn(made.passwordUrl),
    password: "a long enough sentence",
  });
  expect(await rolesOf(userId)).toEqual(["admin"]);
  expect((await findUser("nora.berg@example.com"))?.confirmedAt).not.toBeNull();
  expect(await makeAdmin(deps, "nora.berg@example.com")).toMatchObject({ change: "none", passwordUrl: null });
});

test("a username that is reserved gives way to the domain's, and one that is taken gets a number", async () => {
  expect((await makeAdmin(deps, "admin@example.com")).username).toBe("example");
  expect((await makeAdmin(deps, "admin@example.org")).username).toBe("example_2");
  expect((await makeAdmin(deps, "root@admin.example")).username).toBe("member");
  expect((await makeAdmin(deps, "guest+1@example.net")).username).toBe("example_3");
  expect((await makeAdmin(deps, "a@example.com")).username).toBe("a__");
  expect((await makeAdmin(deps, "host@example.com", "Ada")).username).toBe("Ada");
  const before = await db.$count(users);
  for (const name of ["ada", "host", "a", "no!signs"])
    expect(
      await makeAdmin(deps, "other@example.com", name).catch((thrown: unknown) => thrown),
    ).toBeInstanceOf(AdminRefused);
  expect(await db.$count(users)).toBe(before);
});

test("the passkeys of a new admin are named, because they sign in as an admin", async () => {
  const { id, email } = await buildMember();
  const key = { userId: id, publicKey: "key", signCount: 0 };
  await db.insert(passkeys).values({ ...key, credentialId: "one", name: "Laptop" });
  expect((await makeAdmin(deps, email)).passkeys).toEqual(["Laptop"]);
});

test("what is no address is refused, and creates nobody", async () => {
  const before = await db.$count(users);
  expect(await refused("ana")).toBe('"ana" is not an email address. Example: bun run admin ana@example.com');
  expect(await db.$count(users)).toBe(before);
});

test("a deactivated account is refused, and stays a player's", async () => {
  const { id, email } = await buildMember({ deactivatedAt: new Date() });
  expect(await refused(email)).toContain(`reactivate it at ${deps.env.publicUrl}/users/${id}`);
  expect(await rolesOf(id)).toEqual([]);
  expect(await auditOf(id)).toEqual([]);
});

test("an account whose address is not confirmed is refused: a stranger may have made it", async () => {
  const { id, email } = await buildMember({ confirmedAt: null });
  const message = await refused(email);
  expect(await rolesOf(id)).toEqual([]);
  const [url = null] = /http\S+/.exec(message) ?? [];
  await resetPassword(deps, { resetPasswordToken: secretIn(url), password: "a long enough sentence" });
  expect(await makeAdmin(deps, email)).toMatchObject({ change: "promoted" });
});
