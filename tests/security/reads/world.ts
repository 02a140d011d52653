import { isNull, sql } from "drizzle-orm";
import { outbox } from "#db/schema/outbox.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import { userRoles } from "#db/schema/users.ts";
import { webhookDeliveries } from "#db/schema/webhooks.ts";
import { broadcast, sessionStream } from "#src/base/streams/broadcast.ts";
import { createRelay } from "#src/live/relay/relay-outbox.ts";
import { gidOf } from "#src/people/sign-ins/viewer.ts";
import { createGuest } from "#src/people/users/create-guest.ts";
import { createServer } from "#src/server.ts";
import { HOST_EVERY_MS } from "#src/show/hosting/contract.ts";
import { reportHost } from "#src/show/hosting/report-host.ts";
import { deactivateSession } from "#src/show/sessions/activate-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { startCableServer } from "#tests/live/cable/cable-server.ts";
import { type Client, sessionChannel, userChannel } from "#tests/live/cable/client.ts";
import { buildToken } from "#tests/people/access-tokens/build-token.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildAdmin, buildPlayer, buildRunningSession, type BuiltUser } from "#tests/support/build.ts";
import { createSignIn, signInDirectly } from "#tests/support/client.ts";
import { testDeps, type TestDeps } from "#tests/support/deps.ts";
import { setRows } from "#tests/support/rows.ts";
import type { Server } from "#tests/support/server.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { hosts, type Marker, type ViewerName, viewerNames } from "./markers.ts";
import { buildHostThings, buildOwnThings, type Things } from "./own-things.ts";
import { noteState, playEvent, secretsOf, type Act } from "./play-events.ts";
import { buildPrivate, fillPrivate } from "./private-session.ts";

const END = "the end of what is followed";
type Followers = Partial<Record<ViewerName, Pick<BuiltUser, "id">>> & { owner: { id: number } };

/** Sessions that everybody follows, and one that not everybody may. */
type Followed = { open: readonly number[]; shut: number };

/** Lets each user follow these sessions, their own messages, and try to follow the owner's. */
async function followCable(deps: TestDeps, users: Followers, { open: sessionIds, shut }: Followed) {
  const cable = startCableServer(deps);
  afterFile(() => cable.stop());
  const channels = sessionIds.map(sessionChannel);
  const clients = await Promise.all(
    Object.entries(users).map(async ([name, user]) => {
      const client = await cable.connect(await createSignIn(deps, user));
      for (const channel of [...channels, userChannel(gidOf(user.id))]) await client.follow(channel);
      client.send({ command: "subscribe", identifier: userChannel(gidOf(users.owner.id)) });
      client.send({ command: "subscribe", identifier: sessionChannel(shut) });
      return [name, client] as const;
    }),
  );
  /** Waits for all that was sent. @returns the frames of each user as one text. */
  const collect = async (): Promise<Record<string, string>> => {
    await broadcast(
      deps.redis,
      sessionIds.map((id) => ({ stream: sessionStream(id), text: JSON.stringify({ END }) })),
    );
    const isOver = (client: Client) =>
      channels.every((channel) => client.messages(channel).some((message) => message["END"] === END));
    await waitFor("all messages", () => clients.every(([, client]) => isOver(client)));
    for (const [, client] of clients) client.close();
    return Object.fromEntries(clients.map(([name, { frames }]) => [name, JSON.stringify(frames)]));
  };
  return { collect };
}

/** Everything that can be read, with markers in what not everybody may read. */
export type World = {
  deps: TestDeps;
  server: Server;
  /** The headers with which each viewer asks. */
  headers: Record<Exclude<ViewerName, "receiver">, Record<string, string>>;
  markers: Marker[];
  /** The values of the parts of addresses, by the part before them: "events" -> ["12", "13"]. */
  parts: Record<string, string[]>;
  /** What came to each viewer by itself: over the cable, and to the receiver of a webhook. */
  received: Partial<Record<ViewerName, string>>;
};

/** @param plans what is done to the events of the show, and of the one that is over. */
export async function buildWorld(plans: { live: readonly Act[][]; over: readonly Act[][] }): Promise<World> {
  const own = await testDeps();
  const relay = createRelay(own);
  afterFile(() => relay.stop());
  const deps: TestDeps = { ...own, notifyRelay: () => relay.notify() };
  const server = createServer(deps);
  const users = await buildUsers(deps);
  const session = await buildRunningSession(deps, { slug: "the-show" });
  // Not active, so that no page leads to it.
  await deactivateSession(deps, { sessionId: session.id, actor: null });
  const over = await buildRunningSession(deps, { slug: "that-is-over" });
  await deactivateSession(deps, { sessionId: over.id, actor: null });
  const closed = await buildPrivate(deps, users);
  // Who hosts another session reads no more of these than before.
  const elsewhere = await buildRunningSession(deps, { slug: "elsewhere" });
  const hosting = { sessionId: elsewhere.id, userId: users.player.id, madeById: users.admin.id };
  await deps.pool.db.insert(sessionHosts).values(hosting);
  const cable = await followCable(deps, users, { open: [session.id, over.id], shut: closed.sessionId });
  const terms = { deps, server, owner: users.owner, host: users.host, session, over };
  const things = [await buildHostThings(terms), await buildOwnThings(terms)];
  things.push(
    await buildEvents(deps, { users, session, over, plans }),
    await buildArmed(deps, users, session.slug),
    await fillPrivate(deps, users, closed),
  );
  relay.notify();
  await waitFor("the outbox to be empty", async () => {
    return (await deps.pool.db.$count(outbox, isNull(outbox.sentAt))) === 0;
  });
  const received = await cable.collect();
  const sent = await deps.pool.db.select({ body: webhookDeliveries.body }).from(webhookDeliveries);
  return {
    deps,
    server,
    headers: await headersOf(deps, users),
    markers: things.flatMap(({ markers }) => markers),
    parts: partsOf(things, users),
    received: { ...received, receiver: sent.map(({ body }) => body).join("\n") },
  };
}

export type Users = Awaited<ReturnType<typeof buildUsers>>;

async function buildUsers(deps: TestDeps) {
  const { viewer: guest } = await createGuest(deps, { address: "", userAgent: null });
  const operator = await buildPlayer(deps);
  await deps.pool.db.insert(userRoles).values({ userId: operator.id, role: "operator" });
  return {
    guest,
    owner: await buildPlayer(deps, { balanceCents: 1_000_000 }),
    player: await buildPlayer(deps, { balanceCents: 1_000_000 }),
    operator,
    admin: await buildAdmin(deps),
    host: await buildAdmin(deps),
  };
}

type Shows = {
  users: Users;
  session: { id: number };
  over: { id: number; slug: string };
  plans: { live: readonly Act[][]; over: readonly Act[][] };
};

async function buildEvents(deps: TestDeps, { users, session, over, plans }: Shows): Promise<Things> {
  const callers = [users.owner.id, users.player.id];
  const play = async (sessionId: number, plan: readonly Act[]) =>
    playEvent({ deps, sessionId, actor: users.admin, callers }, plan);
  const events = [];
  for (const plan of plans.live) events.push(await play(session.id, plan));
  for (const plan of plans.over) events.push(await play(over.id, plan));
  await stopSession(deps, { sessionId: over.id, actor: users.admin });
  for (const event of events) await noteState(deps, event);
  // Its stage was public for a day.
  await setRows(deps.pool.db, sessions, sql`${sessions.id} = ${over.id}`, {
    stoppedAt: sql`${sessions.stoppedAt} - interval '2 days'`,
  });
  await deps.pool.db
    .insert(registrations)
    .values({ sessionId: session.id, userId: users.guest.id, displayName: users.guest.username });
  const asked = events
    .slice(plans.live.length)
    .flatMap(({ history }) => history.filter((one) => one.wasPublic));
  const unknownToStrangers = viewerNames.filter((name) => name !== "stranger");
  return {
    markers: [
      ...events.flatMap(secretsOf),
      { what: "a planned result", text: '"autoResult":"random"', readers: hosts },
      ...asked.map(({ texts }) => ({
        what: "a question of a show that is over",
        text: texts.title,
        readers: unknownToStrangers,
      })),
    ],
    parts: {
      sessions: ["the-show", over.slug],
      events: events.map(({ id }) => String(id)),
      decisions: ["1", "2"],
    },
  };
}

/** What a host is about to decide. */
async function buildArmed(deps: TestDeps, { host }: Users, slug: string): Promise<Things> {
  const tab = crypto.randomUUID();
  const arming = { eventId: 1, act: "true" } as const;
  // As the page of a host does.
  const report = () => reportHost(deps, { viewer: host, sessionId: slug, tab, arming });
  const reporting = setInterval(() => void report(), HOST_EVERY_MS);
  afterFile(() => clearInterval(reporting));
  await report();
  return {
    markers: [{ what: "an armed result", text: tab, readers: ["admin", "host", "runToken"] }],
    parts: { hosts: [tab] },
  };
}

async function headersOf(deps: TestDeps, users: Users): Promise<World["headers"]> {
  const cookieOf = async (user: { id: number }) => ({
    cookie: (await signInDirectly(deps, user))["cookie"] ?? "",
  });
  const tokenOf = async (scope: "read" | "run") => ({
    authorization: `Bearer ${(await buildToken(deps, { userId: users.host.id, scope })).secret}`,
  });
  return {
    stranger: {},
    guest: await cookieOf(users.guest),
    owner: await cookieOf(users.owner),
    player: await cookieOf(users.player),
    operator: await cookieOf(users.operator),
    admin: await cookieOf(users.admin),
    host: await cookieOf(users.host),
    readToken: await tokenOf("read"),
    runToken: await tokenOf("run"),
  };
}

function partsOf(things: readonly Things[], { owner, host }: Users): Record<string, string[]> {
  const ids = [String(owner.id), String(host.id)];
  const parts: Record<string, string[]> = {
    users: ids,
    leaderboard: ids,
    blueprint_events: ["1"],
    blueprint_removals: ["1"],
    registrations: ["1", "2"],
    session_hosts: ["1"],
    exclusions: ["1"],
    payment_flags: ["1"],
    access_tokens: ["1"],
    webhook_deliveries: ["1"],
    shares: ["1", "2"],
    dry_runs: ["1"],
    queues: ["pictures"],
    jobs: ["1"],
    uploads: ["no-such-upload"],
    blobs: ["no-such-blob"],
    mail: ["1"],
    join_codes: ["ABC234"],
    faces: ["1"],
    seasons: ["current"],
    logos: ["0".repeat(40)],
    pictures: ["0".repeat(40)],
  };
  for (const { parts: more } of things)
    for (const [name, values] of Object.entries(more)) parts[name] = [...(parts[name] ?? []), ...values];
  return parts;
}
