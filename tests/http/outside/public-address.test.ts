import { expect, test } from "bun:test";
import { lookup } from "node:dns";
import { isPublicAddress, lookupPublic } from "#src/http/outside/public-address.ts";

test("a name is looked up once, and the connection is made to a public address or not at all", async () => {
  const found = await new Promise((resolve) => {
    lookupPublic("localhost", { all: true }, (error) => resolve(error?.name));
  });
  expect(found).toBe("NotPublic");
  // The same look-up without the guard finds it.
  expect(await new Promise((resolve) => lookup("localhost", (error) => resolve(error)))).toBeNull();
});

test("private, local, shared, documented and multicast addresses are not public", () => {
  const closed =
    "0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.31.255.255 192.168.1.1 198.18.0.1 224.0.0.1 \
255.255.255.255 ::1 :: fe80::1 fc00::1 ff02::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 64:ff9b::1 2001:db8::1 2002:7f00:1::".split(
      " ",
    );
  expect(closed.filter(isPublicAddress)).toEqual([]);
  const open = ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::6810:1", "2a00:1450:4001::1"];
  expect(open.filter(isPublicAddress)).toEqual(open);
});
