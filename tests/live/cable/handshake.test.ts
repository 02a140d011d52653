import { expect, test } from "bun:test";
import { afterFile } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { buildSignedIn, startCableServer } from "./cable-server.ts";
import { Client } from "./client.ts";
import { handshake, OPCODE, RawSocket } from "./raw-socket.ts";

const deps = await testDeps();
const server = startCableServer(deps);
const ana = await buildSignedIn(deps);
afterFile(() => server.stop());

async function shake(headers: Record<string, string | null>): Promise<RawSocket> {
  const socket = new RawSocket(server.port, handshake(server.origin, { Cookie: ana.cookie, ...headers }));
  await socket.answered();
  return socket;
}
const protocolIn = (head: string) => /^sec-websocket-protocol: *(.*)$/im.exec(head)?.[1] ?? null;

test("a plain GET of /cable is not found", async () => {
  expect((await fetch(`${server.origin}/cable`, { headers: { cookie: ana.cookie } })).status).toBe(404);
});

test.each([
  ["the page's own", () => server.origin],
  ["the public address", () => deps.env.publicUrl],
])("the origin may be %s", async (_name, origin) => {
  const socket = await shake({ Origin: origin() });
  expect(socket.head).toStartWith("HTTP/1.1 101");
  socket.destroy();
});

test.each([
  ["another site's", "https://evil.example"],
  ["missing", null],
  ["null", "null"],
  ["another port of this host", "http://127.0.0.1:1"],
  ["a host that only begins like the own one", "http://127.0.0.1.evil.example"],
])("the origin is refused if it is %s", async (_name, origin) => {
  const socket = await shake({ Origin: origin });
  expect(socket.head).toStartWith("HTTP/1.1 404");
  expect(socket.frames).toEqual([]);
  socket.destroy();
});

test.each([
  ["actioncable-v1-json, actioncable-unsupported", "actioncable-v1-json"],
  ["foo, actioncable-v1-json", "actioncable-v1-json"],
  ["actioncable-unsupported", "actioncable-unsupported"],
  ["foo, bar", null],
  [null, null],
  ["actioncable-v1-ext-json, actioncable-v1-json", "actioncable-v1-ext-json"],
])("the subprotocol for the offer %p is %p", async (offer, chosen) => {
  const socket = await shake({ "Sec-WebSocket-Protocol": offer });
  expect(socket.head).toStartWith("HTTP/1.1 101");
  expect(protocolIn(socket.head)).toBe(chosen);
  await socket.frame("the welcome", OPCODE.text);
  const extended = chosen === "actioncable-v1-ext-json";
  expect(socket.texts()[0]).toStartWith(extended ? '{"type":"welcome","sid":"' : '{"type":"welcome"}');
  socket.destroy();
});

test.each([
  ["of version 8", { "Sec-WebSocket-Version": "8" }, 426],
  ["without a version", { "Sec-WebSocket-Version": null }, 426],
  ["without a key", { "Sec-WebSocket-Key": null }, 400],
  ["with half a key", { "Sec-WebSocket-Key": "dGhlIHNhbXBs" }, 400],
])("a broken handshake is answered before there is a socket %s", async (_name, headers, status) => {
  const socket = await shake(headers);
  expect(socket.head).toStartWith(`HTTP/1.1 ${status}`);
  socket.destroy();
});

test.each([
  ["has no cookie", () => ({})],
  ["has a forged cookie", () => ({ cookie: `${ana.cookie.slice(0, -4)}AAAA` })],
])(
  "a signed-out client that %s gets a disconnect without reconnect, and no welcome",
  async (_name, cookie) => {
    const client = new Client(server.url, { origin: server.origin, ...cookie() });
    expect(await client.waitForClose()).toBe(1_000);
    expect(client.frames).toEqual([{ type: "disconnect", reason: "unauthorized", reconnect: false }]);
  },
);

test.each([
  ["a sid that is no id", "?sid=..%2F..%2Fusers"],
  ["a sid that is too long", `?sid=${"a".repeat(65)}`],
  ["two sids", "?sid=one&sid=two"],
  ["broken percent-encoding", "?sid=%E0%A4%A"],
])(
  "a handshake whose query cannot be read gets a disconnect without reconnect, and no welcome: %s",
  async (_name, query) => {
    for (const who of [{ cookie: ana.cookie }, {}]) {
      const client = new Client(server.url + query, { origin: server.origin, ...who });
      expect(await client.waitForClose()).toBe(1_000);
      expect(client.frames).toEqual([{ type: "disconnect", reason: "invalid_request", reconnect: false }]);
    }
    expect(server.hub.load.sockets).toBe(0);
  },
);

test.each(["?sid=", "?sid=SFr0mAnother-server_1", "?other=1"])(
  "a handshake whose query cannot be read gets a disconnect without reconnect, and no welcome, but one with a query such as %p is welcomed",
  async (query) => {
    const client = new Client(server.url + query, { origin: server.origin, cookie: ana.cookie });
    await client.welcomed();
    client.socket.close();
    await client.waitForClose();
  },
);
