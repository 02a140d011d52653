import { expect, test } from "bun:test";
import path from "node:path";
import { readEnv } from "#src/settings/env.ts";
import { networkOf, wideNetworkOf } from "#src/settings/networks.ts";
import { SettingsError } from "#src/settings/settings.ts";
import { makeFileFolder } from "#tests/support/after-file.ts";

const dataDir = makeFileFolder();

const refused = [
  "proxy.internal",
  "10.0.0.1, loopback",
  "10.0.0.1:8080",
  "[::1]",
  "10.0.0",
  "010.0.0.1",
  "10.0.0.0/33",
  "10.0.0.0/255.0.0.0",
  "10.0.0.0/",
  "10.0.0.0-10.0.0.9",
  "fd00::/129",
  "*",
  // Trust in everybody is trust in nobody's word.
  "::/0",
  "0.0.0.0/0",
];

for (const value of refused) {
  test(`TRUSTED_PROXIES=${value} is refused with its name and the cure`, () => {
    const read = () => readEnv({ DATA_DIR: dataDir, TRUSTED_PROXIES: value });
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(/^TRUSTED_PROXIES must be IP addresses or networks.*leave it out for the default/);
  });
}

test("a name that begins like a local address is not this machine", () => {
  const production = {
    NODE_ENV: "production",
    DATA_DIR: path.join(dataDir, "names"),
    SECRET_KEY: "0123456789abcdef0123456789abcdef",
  };
  for (const host of ["127.example.com", "127.0.0.1.example.com", "localhost.example.com", "[::1:2]"]) {
    const read = () => readEnv({ ...production, PUBLIC_URL: `http://${host}` });
    expect(read).toThrow(/^PUBLIC_URL must be https:/);
  }
  for (const host of ["127.0.0.2:3000", "[::1]:3000", "game.localhost", "[::ffff:127.0.0.1]"]) {
    expect(readEnv({ ...production, PUBLIC_URL: `http://${host}` }).production).toBe(true);
  }
});

test("proxies are named by address or by network, of both families", () => {
  const list = "10.0.0.2, 172.16.0.0/12,fd00::/8 , 2001:DB8::2, 192.168.1.7/32";
  expect(readEnv({ DATA_DIR: dataDir, TRUSTED_PROXIES: list }).trustedProxies).toEqual(
    list.split(",").map((item) => item.trim()),
  );
  expect(readEnv({ DATA_DIR: dataDir }).trustedProxies).toEqual([]);
});

test("the network of an address is the address itself in IPv4, and its /64 in IPv6, however it is written", () => {
  expect(networkOf("203.0.113.7")).toBe("203.0.113.7");
  expect(networkOf("::ffff:203.0.113.7")).toBe("203.0.113.7");
  const network = ["2a00:1450:4001:82f::200e", "2A00:1450:4001:082f:1::", "2a00:1450:4001:82f:0:0:0:9"];
  expect(network.map(networkOf)).toEqual(network.map(() => "2a00:1450:4001:82f"));
  expect(networkOf("2606:4700::1")).toBe("2606:4700:0:0");
  expect(networkOf("::1")).toBe("0:0:0:0");
  expect(networkOf("")).toBe("");
});

test("the wide network of an address is the address itself in IPv4, and its /48 in IPv6", () => {
  expect(wideNetworkOf("203.0.113.7:5000")).toBe("203.0.113.7");
  expect(["2a00:1450:4001:82f::200e", "2A00:1450:4001::1"].map(wideNetworkOf)).toEqual([
    "2a00:1450:4001",
    "2a00:1450:4001",
  ]);
  expect(wideNetworkOf("2606:4700::1")).toBe("2606:4700:0");
  expect(wideNetworkOf("")).toBe("");
});

test("IPv4 addresses that a translator has put into one network of IPv6 stay apart", () => {
  expect(networkOf("64:ff9b::203.0.113.7")).toBe("203.0.113.7");
  expect(wideNetworkOf("64:ff9b::cb00:7108")).toBe("203.0.113.8");
});
