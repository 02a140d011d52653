import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import { createLog, logFailure } from "#src/base/log.ts";
import { untilPasses } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build } = await testWorld();
const SECRETS = ["ana@example.test", "argon2-hash", "a-token-of-a-link"];

/** What a log writes about a failed statement, in production and outside of it. */
async function logged(work: () => Promise<unknown>): Promise<string[]> {
  const error: unknown = await work().then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  return [true, false].map((production) => {
    const lines: string[] = [];
    createLog({ production, logLevel: "info" }, "test", (line) => lines.push(line)).error(
      { err: error },
      "failed",
    );
    return lines.join("");
  });
}

test("a statement that fails is logged without its parameters", async () => {
  const [address = "", hash = "", token = ""] = SECRETS;
  const lines = await logged(() =>
    db.execute(sql`SELECT 1 / 0 FROM users WHERE email = ${address} OR password_hash = ${hash} OR ${token} = ''
      OR 1 / (length(${token}) - length(${token})) = 1`),
  );
  for (const line of lines) {
    for (const secret of SECRETS) expect(line).not.toContain(secret);
    expect(line).toContain("division by zero");
    expect(line).toMatch(/session\.js/);
  }
});

test("a statement that fails is logged by what the database says and the cure; the statement itself only for debugging", async () => {
  const work = () => db.execute(sql`SELECT secret_of_a_table FROM no_such_table WHERE 1 = ${1}`);
  for (const line of await logged(work)) {
    expect(line).toContain("does not exist");
    expect(line).toContain("bun run migrate");
    expect(line).not.toMatch(/Failed query|secret_of_a_table/);
  }
  const error: unknown = await work().catch((reason: unknown) => reason);
  const lines: string[] = [];
  createLog({ production: true, logLevel: "debug" }, "test", (line) => lines.push(line)).error(
    { err: error },
    "failed",
  );
  expect(lines[0]).toContain("secret_of_a_table");
});

test("what follows from a database that is away or takes no writes is a warning, and any other failure an error", async () => {
  const levelOf = async (state: string) => {
    const failing = sql.raw(`DO $$ BEGIN RAISE EXCEPTION 'planted' USING ERRCODE = '${state}'; END $$`);
    const error: unknown = await db.execute(failing).catch((reason: unknown) => reason);
    const lines: string[] = [];
    const log = createLog({ production: true, logLevel: "info" }, "test", (line) => lines.push(line));
    logFailure(log, error, "could not seal the journals");
    return lines.map((line) => /"level":(\d+)/.exec(line)?.[1]);
  };
  // Shutting down, a full disk, a division by zero.
  expect(await Promise.all(["57P01", "53100", "22012"].map(levelOf))).toEqual([["40"], ["40"], ["50"]]);
});

test("a value that Postgres cannot read or store is not logged", async () => {
  const { email } = await build.player();
  const unreadable = await logged(() => deps.pool.sql.unsafe("SELECT 'a-token-of-a-link'::int"));
  const taken = await logged(() =>
    db.insert(users).values({ email, username: `u${Date.now()}`, passwordHash: "argon2-hash" }),
  );
  for (const line of [...unreadable, ...taken]) {
    for (const secret of [...SECRETS, String(email)]) expect(line).not.toContain(secret);
  }
  expect(unreadable[0]).toContain("invalid input syntax for type integer: [hidden]");
  expect(taken[0]).toMatch(/"constraint":"users_/);
});

test("mail addresses, passwords in addresses of servers, and named secrets are hidden in every line", () => {
  const lines: string[] = [];
  const log = createLog({ production: true, logLevel: "info" }, "test", (line) => lines.push(line));
  log.warn({ err: new Error("550 5.1.1 <ana@example.test>: user unknown") }, "refused for ana@example.test");
  log.warn({ url: "postgres://owner:pass-word@db.example.test:5432/called_it" }, "away");
  log.warn({ password: "pass-word", request: { token: "a-token-of-a-link", cookie: "pass-word" } }, "fields");
  expect(lines.join("")).not.toMatch(/ana@|pass-word|a-token-of-a-link/);
  expect(lines[0]).toContain("550 5.1.1 <[email]>: user unknown");
});

test("whatever others send, it makes no second line of the log", () => {
  const forged = 'x\n{"level":30,"msg":"signed in"}\r\n12:00:00 web info signed in\u2028';
  for (const production of [true, false]) {
    const lines: string[] = [];
    const log = createLog({ production, logLevel: "info" }, "test", (line) => lines.push(line));
    log.info({ path: forged, userAgent: forged }, "answered");
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd()).not.toMatch(/[\r\n]/);
  }
});

test("what one fault does to each request is written ten times, and then counted; another fault is written", async () => {
  const lines: string[] = [];
  const log = createLog({ production: true, logLevel: "info" }, "web", (line) => lines.push(line));
  const requests = Array.from({ length: 63 }, (_, index) => log.child({ requestId: `request-${index}` }));
  for (const request of requests)
    request.warn({ err: new Error("it is away") }, "a request could not be served");
  requests[0]?.warn({ err: new Error("its disk is full") }, "a request could not be served");
  for (const request of requests) request.warn({ playerId: 7 }, "a sign-in was refused");
  const count = (text: string) => lines.filter((line) => line.includes(text)).length;
  expect(["it is away", "its disk is full", "a sign-in was refused"].map(count)).toEqual([10, 1, 63]);
  await untilPasses(() =>
    expect(lines.at(-1)).toContain("a request could not be served, and 53 more like it"),
  );
  requests[0]?.warn({ err: new Error("it is away") }, "a request could not be served");
  expect(count("it is away")).toBe(11);
});
