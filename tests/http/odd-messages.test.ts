import { expect, test } from "bun:test";
import { createConnection } from "node:net";
import { users } from "#db/schema/users.ts";
import { testDeps } from "#tests/support/deps.ts";
import { listen } from "./listen.ts";

// Where two readers of one message disagree about its end, a second request hides in the body of the first.

const deps = await testDeps();
const { port } = listen(deps);

/** Sends bytes. @returns all that comes back until the server closes, or has been asked for one last thing. */
function send(message: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let answer = "";
  const socket = createConnection(port, "127.0.0.1", () => socket.write(message));
  socket.on("data", (data) => {
    answer += data.toString();
    socket.end();
  });
  socket.on("error", () => undefined);
  socket.on("close", () => resolve(answer));
  return promise;
}

const HIDDEN = "POST /users/guest HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n";
const messages: [what: string, headers: string, body: string][] = [
  ["a length and chunks", "content-length: 5\r\ntransfer-encoding: chunked", `0\r\n\r\n${HIDDEN}`],
  ["two lengths", "content-length: 4\r\ncontent-length: 0", `abcd${HIDDEN}`],
  ["an unknown encoding", "transfer-encoding: xchunked\r\ncontent-length: 4", `abcd${HIDDEN}`],
  ["a signed length", "content-length: +4", `abcd${HIDDEN}`],
];

for (const [what, headers, body] of messages) {
  test(`a message with ${what} is refused, and nothing in it is done`, async () => {
    const answer = await send(`POST /up HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n\r\n${body}`);
    expect(answer).toStartWith("HTTP/1.1 400");
    expect(answer.split("HTTP/1.1").length).toBe(2);
    expect(await deps.pool.db.$count(users)).toBe(0);
  });
}

test("TRACE shows nobody their own headers", async () => {
  const answer = await send("TRACE /up HTTP/1.1\r\nhost: localhost\r\ncookie: called_it=secret\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1.1 (404|405)/);
  expect(answer).not.toContain("secret");
});
