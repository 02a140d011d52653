import { beforeEach, expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import * as v from "valibot";
import { registrations } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { registry } from "#src/base/instruments.ts";
import { rates } from "#src/http/rates.ts";
import { isFromLink, isKnownHere, joinUrlOf } from "#src/show/join-codes/join-code.ts";
import { joinedAnswer } from "#src/show/join-codes/schemas.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { listen } from "#tests/http/listen.ts";
import { sampleOf } from "#tests/operate/metrics/samples.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build, signIn } = await testWorld({
  RATE_LIMITS: "on",
  GUESTS_PER_ADDRESS: "1",
  TRUSTED_PROXIES: "127.0.0.0/8",
});
const server = listen(deps);

let show: SessionRow;

beforeEach(async () => {
  show = await build.runningSession({ settings: { private: true } });
});

const isRegistered = (userId: number) =>
  db.$count(registrations, and(eq(registrations.sessionId, show.id), eq(registrations.userId, userId)));

let lastAddress = 0;
const comeFrom = async (address: string) => {
  const person = server.comeFrom(address);
  await person.get("/api/v1/users/me");
  return person;
};
const newAddress = () => `203.0.113.${(lastAddress += 1)}`;
const wrongCodesMax = rates.wrongJoinCode.perAddress({ guestsPerAddress: deps.env.guestsPerAddress });
const signedInFrom = async (address: string, user: { id: number }) => {
  const headers = { ...(await signIn(user)), "x-forwarded-for": address };
  return async (method: string, path: string, body?: object) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const init = { method, headers: { ...headers, "content-type": "application/json" }, ...sent };
    return (await fetch(new URL(path, server.origin), init)).status;
  };
};
/** As if an action had been counted so many times within the hour. */
const countAlready = (counter: string, times: number) =>
  deps.redis.set(`rate:${counter}`, times, "EX", 3_600);

test("guests who come by a code do not count against GUESTS_PER_ADDRESS, and are in the show under their name", async () => {
  const address = newAddress();
  const before = await db.$count(users);
  for (const username of ["Gast_eins", "Gast_zwei", "Gast_drei"]) {
    const person = await comeFrom(address);
    const joined = await person.send("POST", "/api/v1/joins", {
      body: { join: { code: show.joinCode, username } },
    });
    expect(joined.status).toBe(201);
    const { user } = v.parse(joinedAnswer, await joined.json());
    expect([user.username, user.guest, await isRegistered(user.id)]).toEqual([username, true, 1]);
    expect((await person.get(`/api/v1/sessions/${show.slug}`)).status).toBe(200);
  }
  expect((await (await comeFrom(address)).send("POST", "/users/guest")).status).toBe(201);
  expect((await (await comeFrom(address)).send("POST", "/users/guest")).status).toBe(429);
  expect(await db.$count(users)).toBe(before + 4);
});

test("guests are not made by a wrong code, nor under a name that is taken", async () => {
  const person = await comeFrom(newAddress());
  const taken = await build.player();
  const before = await db.$count(users);
  const send = (body: object) => person.send("POST", "/api/v1/joins", { body: { join: body } });
  expect((await send({ code: "XXXXXX" })).status).toBe(404);
  expect((await send({ code: show.joinCode, username: taken.username })).status).toBe(422);
  expect(await db.$count(users)).toBe(before);
});

test("an address and a session have limits for guests who come by a code, which leave room for a full pub and for all others", async () => {
  const address = newAddress();
  const joinFrom = async (from: string, code: string) =>
    (await (await comeFrom(from)).send("POST", "/api/v1/joins", { body: { join: { code } } })).status;
  // 300 people, each of whom comes again twice without the cookies.
  await countAlready(`guests-by-code:address:${address}`, 899);
  expect(await joinFrom(address, show.joinCode)).toBe(201);
  await countAlready(`guests-by-code:address:${address}`, 1_000);
  const before = await db.$count(users);
  expect([await joinFrom(address, show.joinCode), await db.$count(users)]).toEqual([429, before]);
  const player = await signedInFrom(address, await build.player());
  expect(await player("POST", "/api/v1/joins", { join: { code: show.joinCode } })).toBe(201);
  expect(await joinFrom(newAddress(), show.joinCode)).toBe(201);

  await countAlready(`guests-of-show:account:session:${show.id}`, 10_000);
  const full = await db.$count(users);
  expect([await joinFrom(newAddress(), show.joinCode), await db.$count(users)]).toEqual([429, full]);
  expect(await joinFrom(newAddress(), (await build.runningSession()).joinCode)).toBe(201);
});

/** The status of an answer about a code, and why it was refused. */
const ask = async (from: string, code: string) => {
  const answer = await (await comeFrom(from)).get(`/api/v1/join_codes/${code}`);
  return [answer.status, answer.status === 429 ? await answer.text() : ""].join(" ");
};
const sendWrongCodes = (address: string) => countAlready(`wrong-join-code:address:${address}`, wrongCodesMax);

test("after many wrong codes from an address: the right code still opens its show, also one that nobody there has had", async () => {
  for (const code of [show.joinCode, (await build.runningSession()).joinCode]) {
    const address = newAddress();
    await sendWrongCodes(address);
    expect([await ask(address, code), await ask(address, code)]).toEqual(["200 ", "200 "]);
  }
});

test("after many wrong codes from an address: tries of private shows take turns, right and wrong ones alike; a code that is known there needs none", async () => {
  const [address, unknown] = [newAddress(), await build.runningSession({ settings: { private: true } })];
  expect(await ask(address, show.joinCode)).toBe("200 ");
  await sendWrongCodes(address);
  const waiting = Array.from({ length: 5 }, () => ask(address, "XXXXXX"));
  expect(await Promise.race(waiting)).toBe("404 ");
  // All turns are taken by now, or are while these ask: whichever comes too late gets the same answer.
  const late = await Promise.all(
    ["XXXXXX", unknown.joinCode, unknown.joinCode].map((code) => ask(address, code)),
  );
  const refused = late.filter((answer) => answer.startsWith("429"));
  expect(refused.length).toBeGreaterThanOrEqual(2);
  for (const answer of refused) expect(answer).toContain("Try again in a minute");
  expect(await ask(address, show.joinCode)).toBe("200 ");
  await Promise.all(waiting);
});

test("after many wrong codes from an address: the address of the host who sees the code knows it, and so does that of its big screen", async () => {
  const admin = await build.admin();
  for (const path of ["join_code", "stage"]) {
    const { slug, joinCode } = await build.runningSession();
    const address = newAddress();
    const host = await signedInFrom(address, admin);
    expect(await host("GET", `/api/v1/sessions/${slug}/${path}`)).toBe(200);
    expect(await isKnownHere(deps, address, joinCode)).toBe(true);
  }
});

test("wrong codes of many addresses are counted together, and then each address takes turns from its first try on", async () => {
  const statusOf = async (from: string, code: string) =>
    (await (await comeFrom(from)).get(`/api/v1/join_codes/${code}`)).status;
  const counted = async () => [
    await deps.redis.get("rate:wrong-join-codes:account:everybody"),
    sampleOf(await registry.metrics(), "called_it_wrong_join_codes_total", {}),
  ];
  const before = (await counted()).map(Number);
  expect([await statusOf(newAddress(), "XXXXXX"), await statusOf(newAddress(), "XXXXXX")]).toEqual([
    404, 404,
  ]);
  expect((await counted()).map(Number)).toEqual(before.map((count) => count + 2));
  await countAlready("wrong-join-codes:account:everybody", 10_000);
  const address = newAddress();
  const six = Promise.all(Array.from({ length: 6 }, () => statusOf(address, "XXXXXX")));
  expect(await statusOf(newAddress(), show.joinCode)).toBe(200);
  expect((await six).filter((status) => status === 429).length).toBe(1);
});

/** Takes all turns of an address, and more. Ends when `over` does. */
const guess = async (address: string, over: Promise<unknown>) => {
  let isOver = false;
  void over.finally(() => (isOver = true));
  await sendWrongCodes(address);
  const guessing = Array.from({ length: 8 }, async () => {
    while (!isOver) await ask(address, "XXXXXX");
  });
  await Promise.all(guessing);
};

test("a pub fills while somebody there guesses: a public show by its code, a private one by its link, and by its code from then on", async () => {
  const { joinCode: listed } = await build.runningSession();
  const address = newAddress();
  const k = new URL(joinUrlOf(deps.env, show.joinCode)).searchParams.get("k");
  const come = async (join: object) =>
    (await (await comeFrom(address)).send("POST", "/api/v1/joins", { body: { join } })).status;
  const crowd = async () => {
    const first = await come({ code: listed });
    const byLink = await come({ code: show.joinCode, k });
    const others = await Promise.all(
      Array.from({ length: 60 }, (_, index) => come({ code: index % 2 === 0 ? listed : show.joinCode })),
    );
    return [first, byLink, ...new Set(others)];
  };
  const filled = crowd();
  await guess(address, filled);
  expect(await filled).toEqual([201, 201, 201]);
});

test("a proof of another code, and a wrong one, is none", async () => {
  const { joinCode } = await build.runningSession({ settings: { private: true } });
  const proof = new URL(joinUrlOf(deps.env, joinCode)).searchParams.get("k") ?? "";
  const isProof = (k: string | undefined) => isFromLink(deps.env, show.joinCode, k);
  expect([proof, "----", "", undefined].map(isProof)).toEqual([false, false, false, false]);
});
