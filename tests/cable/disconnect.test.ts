import { afterEach, describe, expect, test } from "bun:test";
import { countWrongPassword } from "#src/sign-ins/lock-account.ts";
import { signOut } from "#src/sign-ins/sign-out.ts";
import { disconnectUser, userStream } from "#src/streams/broadcast.ts";
import { changeRoles } from "#src/users/change-roles.ts";
import { buildAdmin } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { Client, userChannel } from "./client.ts";
import { buildSignedIn, type SignedIn, type Stage, startStage } from "./stage.ts";
const stages: Stage[] = [];

const deps = await testDeps();
const ana = await buildSignedIn(deps);
const onHerPhone = await buildSignedIn(deps, ana.user);
const ben = await buildSignedIn(deps);

afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.stop();
});

function open(rhythm = {}): Stage {
  const stage = startStage(deps, rhythm);
  stages.push(stage);
  return stage;
}
/** A client that is heard of in Redis by now: its process listens for disconnects. */
async function connect(stage: Stage, who: SignedIn): Promise<Client> {
  const client = await new Client(stage.url, { origin: stage.origin, cookie: who.cookie }).welcomed();
  await client.follow(userChannel(who.gid));
  return client;
}
const goodbye = (client: Client) => client.frames.at(-1);

describe("when rights change", () => {
  test("all sockets of the user go, in every process, and nobody else's", async () => {
    const [one, two] = [open(), open()];
    const hers = [await connect(one, ana), await connect(two, ana), await connect(two, onHerPhone)];
    const his = await connect(one, ben);
    await disconnectUser(deps.redis, { userId: ana.user.id });
    for (const client of hers) {
      expect(await client.gone()).toBe(1_000);
      expect(goodbye(client)).toEqual({ type: "disconnect", reason: "remote", reconnect: true });
    }
    await waitFor("her stream to be left", async () => {
      return (await deps.redis.pubsub("NUMSUB", userStream(ana.user.id)))[1] === 0;
    });
    expect(his.closed).toBeNull();
    expect(his.ofType("disconnect")).toEqual([]);
  });

  test("a sign-out takes the sockets of that sign-in only, and they do not come back in", async () => {
    const stage = open();
    const here = await connect(stage, ana);
    const there = await connect(stage, onHerPhone);
    await signOut(deps, ana.signInId);
    expect(await here.gone()).toBe(1_000);
    expect(there.closed).toBeNull();
    const again = new Client(stage.url, { origin: stage.origin, cookie: ana.cookie });
    await again.gone();
    expect(again.frames).toEqual([{ type: "disconnect", reason: "unauthorized", reconnect: false }]);
  });
});

describe("what nobody announced is found by itself:", () => {
  test.each<[string, (who: SignedIn) => Promise<unknown>]>([
    [
      "a sign-out",
      ({ signInId }) => deps.pool.sql`UPDATE sign_ins SET ended_at = now() WHERE id = ${signInId}`,
    ],
    [
      "a sign-in whose time is over",
      ({ signInId }) => deps.pool.sql`UPDATE sign_ins SET expires_at = now() WHERE id = ${signInId}`,
    ],
    [
      "an account that was deactivated",
      ({ user }) => deps.pool.sql`UPDATE users SET deactivated_at = now() WHERE id = ${user.id}`,
    ],
    [
      "an address that was not confirmed within its 24 hours",
      ({ user }) =>
        deps.pool.sql`UPDATE users SET confirmed_at = NULL, confirm_by = now() WHERE id = ${user.id}`,
    ],
  ])("%s, and its socket does not come back in", async (_name, change) => {
    const stage = open({ checkMs: 50 });
    const who = await buildSignedIn(deps);
    const [client, his] = [await connect(stage, who), await connect(stage, ben)];
    await change(who);
    expect(await client.gone()).toBe(1_000);
    expect(goodbye(client)).toEqual({ type: "disconnect", reason: "remote", reconnect: true });
    const again = new Client(stage.url, { origin: stage.origin, cookie: who.cookie });
    await again.gone();
    expect(again.frames).toEqual([{ type: "disconnect", reason: "unauthorized", reconnect: false }]);
    expect(his.closed).toBeNull();
  });
});

describe("whoever loses a right loses the sockets:", () => {
  test("whose role is taken goes at once, in every process, and nobody else", async () => {
    const [one, two] = [open(), open()];
    const [boss, staff] = [await buildAdmin(deps), await buildSignedIn(deps, await buildAdmin(deps))];
    const hers = [await connect(one, staff), await connect(two, staff)];
    const his = await connect(one, ben);
    await changeRoles(deps, { userId: staff.user.id, actor: boss, reason: null, roles: [] });
    for (const client of hers) expect(await client.gone()).toBe(1_000);
    expect(his.closed).toBeNull();
  });

  test("a wrong password too many takes the sockets of the account it locks", async () => {
    const stage = open();
    const who = await buildSignedIn(deps);
    const client = await connect(stage, who);
    for (let wrong = 1; wrong < 20; wrong += 1) await countWrongPassword(deps, who.user.id);
    expect(client.closed).toBeNull();
    await countWrongPassword(deps, who.user.id);
    expect(await client.gone()).toBe(1_000);
  });

  test("nonsense on the channel harms nobody", async () => {
    const stage = open();
    const client = await connect(stage, onHerPhone);
    await deps.redis.publish("cable:disconnect", "nonsense");
    await deps.redis.publish("cable:disconnect", '{"userId":"1"}');
    await client.follow(` ${userChannel(onHerPhone.gid)}`);
    expect(client.closed).toBeNull();
  });
});

describe("when the server stops", () => {
  test("everybody is told to come back, within two seconds, and nobody new is let in", async () => {
    const stage = open();
    const clients = await Promise.all(Array.from({ length: 40 }, () => connect(stage, onHerPhone)));
    const startMs = performance.now();
    const stopped = stage.hub.stop();
    const late = await fetch(`${stage.origin}/cable`, {
      headers: {
        cookie: onHerPhone.cookie,
        origin: stage.origin,
        upgrade: "websocket",
        connection: "Upgrade",
      },
    }).catch(() => null);
    expect(late?.status).toBe(503);
    await stopped;
    expect(performance.now() - startMs).toBeLessThan(2_500);
    for (const client of clients) {
      expect(await client.gone()).toBe(1_000);
      expect(goodbye(client)).toEqual({ type: "disconnect", reason: "server_restart", reconnect: true });
    }
  });
});
