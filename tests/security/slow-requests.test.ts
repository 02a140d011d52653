import { describe, expect, jest, test } from "bun:test";
import { createConnection } from "node:net";
import { JSON_LIMIT, readBytes, readText } from "#src/http/read-body.ts";
import { createRequestContext } from "#src/http/request-context.ts";
import { createServer } from "#src/server.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";

// A connection costs little, but nobody may keep one for ever by sending slowly. Nothing of such a request reaches a handler.
//
// | sent                                       | expected                                |
// | headers that do not end, a byte a second   | closed by Bun's server after about 12 s |
// | a form that does not end, a byte a second  | 408 after 10 s, and closed              |
// | a body of which no more arrives            | 408 after 10 s                          |

const deps = await testDeps();

describe("a body that does not end", () => {
  afterTest(() => {
    jest.useRealTimers();
  });
  const endless = () =>
    new Request("http://localhost:3000/", {
      method: "POST",
      body: new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) }),
    });

  test.each([
    ["text", readText],
    ["bytes", readBytes],
  ] as const)("is given up after 10 s, as %s", async (_kind, read) => {
    jest.useFakeTimers();
    const reading = read(createRequestContext(endless(), ""), JSON_LIMIT.bytes).catch(
      (error: unknown) => error,
    );
    jest.advanceTimersByTime(10_000);
    expect(await reading).toMatchObject({ status: 408, code: "too_slow" });
  });
});

test("a connection that sends a byte a second is closed, and hears 408 once its headers were complete", async () => {
  const slow = createServer(deps).listen({ port: 0, hostname: "127.0.0.1" });
  /** @returns what was answered, when the server has closed the connection. */
  const send = (head: string) =>
    new Promise<string>((resolve) => {
      let answer = "";
      const socket = createConnection(slow.server?.port ?? 0, "127.0.0.1", () => socket.write(head));
      const bytes = setInterval(() => socket.write("a"), 1_000);
      socket.on("data", (data) => (answer += data.toString()));
      socket.on("error", () => undefined);
      socket.on("close", () => {
        clearInterval(bytes);
        resolve(answer);
      });
    });
  const start = "POST /users/sign_in HTTP/1.1\r\nhost: localhost\r\n";
  const [headers, form] = await Promise.all([
    send(`${start}x-long: `),
    send(`${start}content-type: application/x-www-form-urlencoded\r\ncontent-length: 1000\r\n\r\n`),
  ]);
  expect(headers).toBe("");
  expect(form).toStartWith("HTTP/1.1 408");
  await slow.stop(true);
});
