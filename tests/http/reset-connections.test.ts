import { expect, test } from "bun:test";
import { createConnection } from "node:net";
import { users } from "#db/schema/users.ts";
import { createLog } from "#src/base/log.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { listen } from "./listen.ts";

const silent = await testDeps({ RATE_LIMITS: "on", GUESTS_PER_ADDRESS: "1" });
const lines: string[] = [];
const log = createLog({ production: true, logLevel: "info" }, "test", (line) => lines.push(line));
const deps = { ...silent, log };
const { port, origin, comeFrom } = listen(deps);

/** Taps "Play as guest" in a new browser, and resets the connection before the answer. */
async function tapAndReset(): Promise<void> {
  const person = comeFrom();
  await person.get("/api/v1/users/me");
  const cookies = [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const head = [
    "POST /users/guest HTTP/1.1",
    `host: 127.0.0.1:${port}`,
    `origin: ${origin}`,
    `cookie: ${cookies}`,
    `x-csrf-token: ${person.token}`,
    "accept: application/json",
    "content-length: 0",
  ].join("\r\n");
  await new Promise<void>((resolve) => {
    const socket = createConnection(port, "127.0.0.1", () => {
      socket.write(`${head}\r\n\r\n`);
      socket.resetAndDestroy();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve());
  });
}

test("who sends and resets the connection makes no more guests than an address may, and it is in the log", async () => {
  // Some are over before their request is read.
  for (let time = 0; time < 20; time += 1) await tapAndReset();
  expect(await deps.pool.db.$count(users)).toBeLessThanOrEqual(1);
  await waitFor("a line", () =>
    lines.some((line) => line.includes('"path":"/users/guest"') && line.includes('"status":499')),
  );
  expect(await deps.pool.db.$count(users)).toBeLessThanOrEqual(1);
});
