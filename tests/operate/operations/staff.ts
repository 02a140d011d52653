import { expect } from "bun:test";
import * as v from "valibot";
import { userRoles } from "#db/schema/users.ts";
import { CSRF_PARAM } from "#src/http/contract.ts";
import { runChecks } from "#src/operate/checks/check.ts";
import { adminChecks } from "#src/operate/checks/checks.ts";
import { Watch } from "#src/operate/checks/watch-checks.ts";
import { operationsAnswer, type OperationsView } from "#src/operate/operations/schemas.ts";
import { createServer } from "#src/server.ts";
import { givePassword, Person } from "#tests/people/users/person.ts";
import { buildAdmin, type BuiltUser, buildPlayer } from "#tests/support/build.ts";
import type { TestDeps } from "#tests/support/deps.ts";

const ORIGIN = "http://localhost:3000";

/** An admin, an operator and a player, who are signed in, and what they read and send. */
export async function buildStaff(deps: TestDeps, server = createServer(deps)) {
  const signedIn = async (user: BuiltUser) => {
    await givePassword(deps, user.id);
    const person = new Person(server);
    expect((await person.signIn(user.email)).ok).toBe(true);
    return person;
  };
  const admin = await signedIn(await buildAdmin(deps));
  const watcher = await buildPlayer(deps);
  await deps.pool.db.insert(userRoles).values({ userId: watcher.id, role: "operator" });
  const operator = await signedIn(watcher);
  const player = await signedIn(await buildPlayer(deps));
  const read = async (person: Person): Promise<OperationsView> => {
    const response = await person.get("/api/v1/operations");
    return v.parse(operationsAnswer, await response.json()).operations;
  };
  return {
    admin,
    operator,
    player,
    read,
    failedOf: async (person: Person) => (await read(person)).queues?.failed ?? [],
    /** Posts the form of the page, as a browser without JavaScript does. */
    postForm: (person: Person, fields: Record<string, string>) =>
      person.pass(
        new Request(`${ORIGIN}/admin`, {
          method: "POST",
          headers: { accept: "text/html", origin: ORIGIN },
          body: new URLSearchParams({ [CSRF_PARAM]: person.token, ...fields }),
        }),
      ),
  };
}

/** What a process sees at two looks, so that it is noted. */
export async function lookTwice(deps: TestDeps): Promise<void> {
  const watch = new Watch(deps);
  for (let count = 0; count < 2; count += 1) await watch.take(await runChecks(deps, adminChecks));
}
