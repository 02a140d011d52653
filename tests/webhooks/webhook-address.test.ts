import { expect, test } from "bun:test";
import { createServer } from "node:http";
import { Refusal } from "#src/base/refusal.ts";
import { NotPublic } from "#src/http/outside/public-address.ts";
import { TimedOut } from "#src/http/outside/request-outside.ts";
import { postDelivery } from "#src/webhooks/deliver-webhook.ts";
import { isWebhookAddress, requireWebhookAddress } from "#src/webhooks/sign-body.ts";
import { afterFile } from "#tests/support/after-file.ts";

const production = { production: true };
const development = { production: false };

const inner = [
  "http://board.example.com/",
  "https://localhost/",
  "https://board/",
  "https://board.internal/",
  "https://127.0.0.1/",
  "https://2130706433/",
  "https://0x7f.1/",
  "https://10.1.2.3/",
  "https://172.16.0.1/",
  "https://192.168.1.1/",
  "https://169.254.169.254/latest/meta-data",
  "https://100.64.0.1/",
  "https://[::1]/",
  "https://[::ffff:10.0.0.1]/",
  "https://[fd00::1]/",
  "https://[fe80::1]/",
  "https://localhost./",
  "https://user:word@board.example.com/",
  "ftp://board.example.com/",
  "not an address",
];

for (const address of inner) {
  test(`outside development ${address} is refused, when it is entered and when it is sent to`, async () => {
    expect(isWebhookAddress(production, address)).toBe(false);
    expect(() => requireWebhookAddress(production, address)).toThrow(Refusal);
    const sent = postDelivery(production, { url: address, headers: {}, body: "{}" });
    expect(await sent.catch((error: unknown) => error)).toBeInstanceOf(NotPublic);
  });
}

test("public addresses are taken, also with a port of their own", () => {
  for (const address of [
    "https://board.example.com/hook?key=1",
    "https://board.example.com:8443/",
    "https://1.1.1.1/",
  ])
    expect(isWebhookAddress(production, address)).toBe(true);
});

test("in development a program on this machine can be tried", () => {
  expect(isWebhookAddress(development, "http://localhost:4000/hook")).toBe(true);
  expect(isWebhookAddress(development, "file:///etc/passwd")).toBe(false);
});

test("a receiver that begins an answer and does not end it is not waited for", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200);
    response.write("one moment");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterFile(async () => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const outgoing = { url: `http://127.0.0.1:${port}/`, headers: {}, body: "{}" };
  const error = await postDelivery(development, outgoing, 200).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(TimedOut);
});
