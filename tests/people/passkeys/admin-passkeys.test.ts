import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { passkeys } from "#db/schema/passkeys.ts";
import { testWorld } from "#tests/support/world.ts";
import { PASSWORD, Person, buildSignedIn } from "../users/person.ts";
import { addPasskey, askForPasskey, signInByPasskey } from "./passkey-owner.ts";

const { deps, server, db, build } = await testWorld({ RATE_LIMITS: "off", ADMIN_PASSKEYS: "required" });

test("an admin without a passkey is a player who can add one, and then acts as an admin", async () => {
  const { user, person } = await buildSignedIn(deps, server, await build.admin());
  expect((await person.get("/api/v1/users")).status).toBe(403);
  expect(await (await person.get("/api/v1/users/me/passkeys")).json()).toMatchObject({
    passkeys: [],
    confirmed: false,
    required: true,
  });
  const { authenticator } = await addPasskey(person);
  expect((await person.get("/api/v1/users")).status).toBe(200);

  const byPassword = new Person(server);
  const answer = await byPassword.signIn(user.email);
  expect(await answer.json()).toMatchObject({ user: { id: user.id, roles: [] } });
  expect((await byPassword.get("/api/v1/users")).status).toBe(403);
  const byPasskey = new Person(server);
  const signedIn = await signInByPasskey(byPasskey, authenticator);
  expect(await signedIn.json()).toMatchObject({ user: { id: user.id, roles: ["admin"] } });
  expect((await byPasskey.get("/api/v1/users")).status).toBe(200);
});

test("with the password alone nobody adds a passkey to those of an admin, or removes one", async () => {
  const { user, person } = await buildSignedIn(deps, server, await build.admin());
  const { id } = await addPasskey(person);
  const thief = new Person(server);
  await thief.signIn(user.email);
  const asked = await askForPasskey(thief);
  expect([asked.status, await asked.json()]).toMatchObject([403, { code: "passkey_required" }]);
  expect((await thief.send("DELETE", `/api/v1/users/me/passkeys/${id}`)).status).toBe(403);
  expect(await db.$count(passkeys, eq(passkeys.userId, user.id))).toBe(1);
});

test("an admin whose role is withheld cannot delete or close their own account", async () => {
  const { person } = await buildSignedIn(deps, server, await build.admin());
  const body = { user: { current_password: PASSWORD } };
  for (const action of ["delete", "deactivate"])
    expect((await person.send("PUT", `/api/v1/users/me/${action}`, { body })).status).toBe(403);
});

test("players need no passkey", async () => {
  const { person } = await buildSignedIn(deps, server);
  expect(await (await person.get("/api/v1/users/me/passkeys")).json()).toMatchObject({ required: false });
});
