import { expect, test } from "bun:test";
import { createServer } from "#src/server.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { readWallet } from "#tests/support/books.ts";
import { testDeps } from "#tests/support/deps.ts";
import { Person, userIn } from "./person.ts";

const deps = await testDeps({ GUESTS_PER_ADDRESS: "3", GUEST_GRANT: "5.50", RATE_LIMITS: "on" });
const server = createServer(deps);
const listening = server.listen({ port: 0, hostname: "127.0.0.1" });
afterFile(() => void listening.stop(true));
const port = listening.server?.port ?? 0;
/** A connection of this machine: only a connection has an address. */
const overNetwork = {
  handle: (request: Request) => fetch(request.url.replace(/:3000\//, `:${port}/`), request),
};

async function visit(): Promise<Person> {
  const person = new Person(overNetwork);
  await person.get("/api/v1/users/me");
  return person;
}

const balanceOf = async (userId: number) => (await readWallet(deps.pool.db, userId)).postedCents;

test("a guest starts with GUEST_GRANT, and gets the rest of $100.00 with an account, once", async () => {
  const person = await visit();
  const { id } = await userIn(await person.send("POST", "/users/guest"));
  expect(await balanceOf(id)).toBe(550);
  const password = "nine lives and a day";
  const user = {
    email: "finished@example.test",
    username: "finished",
    password,
    password_confirmation: password,
  };
  const registered = await person.send("POST", "/users/guest_registration", { body: { user } });
  expect(registered.status).toBe(201);
  expect(await balanceOf(id)).toBe(10_000);
});
