import { expect, test } from "bun:test";
import { createHostPlaces, type HostPlaces, siteOf, type Visit } from "#src/http/outside/host-places.ts";

/** Takes places of these keys until there is none. */
function enterAll(places: HostPlaces, keyOf: (number: number) => string): Visit[] {
  const visits: Visit[] = [];
  for (;;) {
    const visit = places.visit();
    try {
      visit.enter(keyOf(visits.length));
    } catch {
      return visits;
    }
    visits.push(visit);
  }
}
const leaveAll = (visits: readonly Visit[], answered: boolean | null) => {
  for (const visit of visits) visit.leave(answered);
};

test("a host has three places, more once it answers quickly, and three again when it fails", () => {
  const places = createHostPlaces();
  const first = enterAll(places, () => "a.test");
  expect(first).toHaveLength(3);
  leaveAll(first, true);
  const second = enterAll(places, () => "a.test");
  expect(second).toHaveLength(6);
  leaveAll(second, true);
  const third = enterAll(places, () => "a.test");
  leaveAll(third, true);
  const most = enterAll(places, () => "a.test");
  expect([third.length, most.length]).toEqual([12, 15]);
  leaveAll(most, false);
  expect(enterAll(places, () => "a.test")).toHaveLength(3);
});

test("a host that takes all its places leaves those of others alone, and a request that was not sent says nothing about it", () => {
  const places = createHostPlaces();
  const slow = enterAll(places, () => "slow.test");
  expect(enterAll(places, () => "other.test")).toHaveLength(3);
  leaveAll(slow, null);
  expect(enterAll(places, () => "slow.test")).toHaveLength(3);
});

test("a request has a place of the name and one of the address, and leaves both", () => {
  const places = createHostPlaces();
  const behindOneAddress = Array.from({ length: 3 }, (_, number) => {
    const visit = places.visit();
    visit.enter(`name-${number}.test`);
    visit.enter("192.0.2.1");
    return visit;
  });
  const another = places.visit();
  another.enter("name-4.test");
  expect(() => another.enter("192.0.2.1")).toThrow("Too many requests");
  leaveAll([...behindOneAddress, another], false);
  // What is looked up too late takes no place.
  another.enter("192.0.2.1");
  expect(enterAll(places, () => "192.0.2.1")).toHaveLength(3);
});

test("the names of one site are one host, and so are the addresses of one network", () => {
  const sites = ["https://a.b.example.com/x", "https://example.com", "https://c.example.com./y"];
  expect(sites.map((url) => siteOf(new URL(url)))).toEqual(["example.com", "example.com", "example.com"]);
  const hosts = ["http://127.0.0.1:4000/", "http://localhost:4000/", "http://[::1]:4000/"];
  expect(hosts.map((url) => siteOf(new URL(url)))).toEqual([
    "127.0.0.1:4000",
    "localhost:4000",
    "[::1]:4000",
  ]);
});
