import { expect, test } from "bun:test";
import type { NetworkInterfaceInfo } from "node:os";
import { hintForPhones } from "#src/run/hint-for-phones.ts";

const own = { production: false, host: "127.0.0.1", publicUrl: "http://localhost:3000", port: 3_000 };
const card = (address: string, internal: boolean): NetworkInterfaceInfo => ({
  address,
  internal,
  family: "IPv4",
  netmask: "255.255.255.0",
  mac: "00:00:00:00:00:00",
  cidr: null,
});
const network = { lo: [card("127.0.0.1", true)], wlan0: [card("192.168.1.7", false)] };

test("a start that only its own computer can open says how phones in the room reach it", () => {
  expect(hintForPhones(own, network).at(-1)).toBe(
    "  HOST=0.0.0.0 PUBLIC_URL=http://192.168.1.7:3000 NODE_ENV=development",
  );
});

test("a start that others reach, one for production, and a computer without a network say nothing of it", () => {
  expect(hintForPhones({ ...own, production: true }, network)).toEqual([]);
  expect(hintForPhones({ ...own, host: "0.0.0.0" }, network)).toEqual([]);
  expect(hintForPhones({ ...own, publicUrl: "http://192.168.1.7:3000" }, network)).toEqual([]);
  expect(hintForPhones(own, { lo: network.lo })).toEqual([]);
});
