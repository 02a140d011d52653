import { expect, test } from "bun:test";
import { clientAddress, isTrustedPeer } from "#src/http/receive-request.ts";

const request = (forwarded?: string) =>
  new Request(
    "http://localhost/",
    forwarded === undefined ? {} : { headers: { "x-forwarded-for": forwarded } },
  );

test("X-Forwarded-For is ignored unless the connection comes from a trusted proxy", () => {
  expect(clientAddress(request("1.2.3.4"), "9.9.9.9", [])).toBe("9.9.9.9");
  expect(clientAddress(request("1.2.3.4"), "9.9.9.9", ["10.0.0.1"])).toBe("9.9.9.9");
});

test("behind trusted proxies the client is the last address that is not one of them", () => {
  const proxies = ["10.0.0.1", "10.0.0.2"];
  expect(clientAddress(request("6.6.6.6, 1.2.3.4, 10.0.0.2"), "10.0.0.1", proxies)).toBe("1.2.3.4");
  expect(clientAddress(request("10.0.0.2"), "10.0.0.1", proxies)).toBe("10.0.0.1");
  expect(clientAddress(request(), "10.0.0.1", proxies)).toBe("10.0.0.1");
  expect(clientAddress(request("::ffff:1.2.3.4"), "::ffff:10.0.0.1", proxies)).toBe("1.2.3.4");
});

type Row = [forwarded: string, peer: string, proxies: string, client: string];
const rows: Row[] = [
  // A port beside the address, as some gateways write it.
  ["203.0.113.8:40001", "10.0.0.1", "10.0.0.1", "203.0.113.8"],
  ["203.0.113.8:1, 10.0.0.2:443", "10.0.0.1", "10.0.0.1,10.0.0.2", "203.0.113.8"],
  ["[2001:db8::1]:443", "10.0.0.1", "10.0.0.1", "2001:db8::1"],
  ["[2001:db8::1]", "10.0.0.1", "10.0.0.1", "2001:db8::1"],
  ["2001:db8:0:0:0:0:0:1:40001", "10.0.0.1", "10.0.0.1", "2001:db8::1"],
  ["2001:db8::1:40001", "10.0.0.1", "10.0.0.1", "2001:db8::1"],
  // One spelling.
  ["2001:DB8:0:0::A", "10.0.0.1", "10.0.0.1", "2001:db8::a"],
  ["2001:0db8:0000:0000:0000:0000:0000:000a", "10.0.0.1", "10.0.0.1", "2001:db8::a"],
  ["::FFFF:203.0.113.8", "10.0.0.1", "10.0.0.1", "203.0.113.8"],
  ["::ffff:cb00:7108", "10.0.0.1", "10.0.0.1", "203.0.113.8"],
  ["[0:0:0:0:0:ffff:203.0.113.8]:7000", "10.0.0.1", "10.0.0.1", "203.0.113.8"],
  ["::ffff:100:2", "10.0.0.1", "10.0.0.1", "1.0.0.2"],
  ["fe80::1%eth0", "10.0.0.1", "10.0.0.1", "fe80::1"],
  ["", "2001:DB8::0:5", "", "2001:db8::5"],
  // Networks of proxies, in both families and spellings.
  ["203.0.113.8", "127.9.9.9", "127.0.0.0/8", "203.0.113.8"],
  ["203.0.113.8", "128.0.0.1", "127.0.0.0/8", "128.0.0.1"],
  ["203.0.113.8, 172.31.255.255", "::ffff:10.0.0.1", "10.0.0.0/8,172.16.0.0/12", "203.0.113.8"],
  ["203.0.113.8, 172.32.0.0", "10.0.0.1", "10.0.0.0/8,172.16.0.0/12", "172.32.0.0"],
  ["203.0.113.8", "2001:db8:1::9", "2001:DB8:1::/48", "203.0.113.8"],
  ["203.0.113.8", "2001:db8:2::9", "2001:db8:1::/48", "2001:db8:2::9"],
  ["203.0.113.8", "FD00:0::7", "fd00::7", "203.0.113.8"],
  ["203.0.113.8", "10.0.0.1", "::ffff:10.0.0.1", "203.0.113.8"],
  ["203.0.113.8", "::ffff:10.0.0.9", "10.0.0.9/24", "203.0.113.8"],
  // What a client has sent itself is left of what the proxies have written.
  ["1.1.1.1, 2.2.2.2:5, 203.0.113.8:9", "10.0.0.1", "10.0.0.0/8", "203.0.113.8"],
  ["1.1.1.1, unknown", "10.0.0.1", "10.0.0.1", "10.0.0.1"],
  ["1.1.1.1, _hidden, 10.0.0.2", "10.0.0.1", "10.0.0.0/8", "10.0.0.1"],
  ["1.1.1.1, 203.0.113.8,,", "10.0.0.1", "10.0.0.1", "203.0.113.8"],
  ["203.0.113.8:port", "10.0.0.1", "10.0.0.1", "10.0.0.1"],
  // A socket of the machine has no address, so no list can trust it.
  ["203.0.113.8", "", "127.0.0.0/8,::1", ""],
];

for (const [forwarded, peer, proxies, client] of rows) {
  test(`"${forwarded}" from ${peer} with proxies "${proxies}" is ${client}`, () => {
    const trusted = proxies.split(",").filter((each) => each !== "");
    expect(clientAddress(request(forwarded), peer, trusted)).toBe(client);
  });
}

test("of several headers the last counts, which the nearest proxy has added", () => {
  const { headers } = request("6.6.6.6");
  headers.append("x-forwarded-for", "7.7.7.7, 203.0.113.8");
  headers.append("x-forwarded-for", "10.0.0.2");
  const asked = new Request("http://localhost/", { headers });
  expect(clientAddress(asked, "10.0.0.1", ["10.0.0.0/8"])).toBe("203.0.113.8");
});

test("Forwarded, X-Real-IP and their kind are ignored: proxies pass them on as the client has sent them", () => {
  const headers = { forwarded: "for=6.6.6.6", "x-real-ip": "6.6.6.6", "true-client-ip": "6.6.6.6" };
  const asked = new Request("http://localhost/", { headers });
  expect(clientAddress(asked, "10.0.0.1", ["10.0.0.1"])).toBe("10.0.0.1");
});

test("a connection is trusted by the network that it comes from", () => {
  expect(isTrustedPeer("::ffff:10.3.2.1", ["10.0.0.0/8"])).toBe(true);
  expect(isTrustedPeer("11.3.2.1", ["10.0.0.0/8"])).toBe(false);
  expect(isTrustedPeer("", ["10.0.0.0/8"])).toBe(false);
});
