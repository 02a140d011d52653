import { expect, test } from "bun:test";
import fc from "fast-check";
import { loadEnd } from "#client/end/end-of-session.tsx";
import { themes } from "#client/page.ts";
import { eventStates } from "#db/lists/events.ts";
import type { EventView } from "#src/events/schemas.ts";
import type { ScoreView } from "#src/leaderboard/schemas.ts";
import type { ViewerView } from "#src/sign-ins/schemas.ts";
import { presentPool } from "#src/spots/present-pool.ts";
import {
  buildCall,
  buildEvent,
  buildPage,
  buildSession,
  buildWallet,
  inSeconds,
  NOW_MS,
} from "#tests/client/action-states.ts";
import { type ActionScene, actionPage } from "./action-page.tsx";
import { expectReactsBytes, renderByReact } from "./compare.ts";

const SCENES = 300;

// As on the server, where the page of a session that is over waits for it.
await loadEnd();

/** Texts in which something could go wrong: empty, of HTML, of many letters, from right to left, beyond 16 bits. */
const text = fc.oneof(
  fc.constantFrom(
    "",
    `"<>&'`,
    "<!-- -->",
    "مرحبا بك",
    "🎲🇩🇪",
    "a\nb\u00a0c",
    "True",
    "x".repeat(200),
    "{{$&}}",
  ),
  fc.string({ maxLength: 30 }),
  fc.string({ unit: "grapheme", maxLength: 30 }),
);
const cents = fc.constantFrom(0, 1, 99, 100, 12_345, 1_234_567_89);
const seconds = fc.constantFrom(-100, -10, -3, -0.2, 0, 0.4, 3, 20, 100);
const moment = fc.option(seconds.map(inSeconds));

const call = fc.record({
  side: fc.constantFrom("true", "false"),
  label: text,
  state: fc.constantFrom("placed", "closed", "resolved"),
  wagerCents: cents,
  outcome: fc.constantFrom(null, "won", "lost", "refunded"),
  payoutCents: fc.option(cents),
  netCents: fc.option(fc.constantFrom(-500, 0, 400)),
  eventTitle: text,
});

const event = fc
  .record({
    state: fc.constantFrom(...eventStates),
    title: text,
    trueLabel: text,
    falseLabel: text,
    result: fc.option(fc.boolean()),
    voided: fc.boolean(),
    resultReason: fc.option(text),
    paysAt: moment,
    opensAt: moment,
    closesAt: moment,
    closedAt: moment,
    resolvedAt: moment,
    publishedAt: moment,
    maxWagerCents: fc.option(cents),
    callsCount: fc.nat(5_000),
    pool: fc.tuple(cents, cents).map(([ofTrue, ofFalse]) => presentPool(ofTrue, ofFalse)),
    calls: fc.array(call, { maxLength: 3 }),
  })
  .map(({ calls, ...fields }) => ({ fields, calls }));

const score = fc.record({
  username: text,
  rank: fc.nat(300),
  tied: fc.boolean(),
  wins: fc.nat(20),
  losses: fc.nat(20),
  netCents: fc.constantFrom(-500, 0, 400),
});

const notification = fc.record({
  title: text,
  body: text,
  url: fc.option(fc.constant("/profile")),
  isNew: fc.boolean(),
});

const scene = fc.record({
  who: fc.constantFrom("out", "guest", "player", "operator", "pictured"),
  name: text,
  theme: fc.constantFrom(...themes),
  timeZone: fc.constantFrom("UTC", "America/New_York", "Asia/Kolkata"),
  session: fc.record({
    name: text,
    state: fc.constantFrom("pending", "running", "paused", "stopped"),
    startsAt: moment,
    pausedAt: moment,
    eventsCount: fc.nat(30),
    playersOnline: fc.nat(1_000),
  }),
  events: fc.array(event, { maxLength: 6 }),
  leaders: fc.array(score, { maxLength: 5 }),
  me: fc.option(score),
  walletCents: cents,
  notifications: fc.array(notification, { maxLength: 3 }),
  next: fc.boolean(),
});

type Drawn = typeof scene extends fc.Arbitrary<infer Value> ? Value : never;

const noPicture = { default: null, thumb: null, small: null, medium: null, large: null, original: null };

function viewerOf({ who, name }: Drawn): ViewerView | null {
  if (who === "out") return null;
  const avatar =
    who === "pictured" ? { ...noPicture, small: "/a/1.webp?x=1&y=2", medium: "/a/2.webp" } : noPicture;
  const roles = who === "operator" ? (["operator"] as const) : [];
  return {
    id: 7,
    gid: "gid",
    email: `${who}@example.com`,
    username: name,
    avatar,
    roles: [...roles],
    guest: who === "guest",
  };
}

function eventOf({ fields, calls }: Drawn["events"][number], index: number): EventView {
  const id = index + 1;
  const plain = buildEvent({ id, ...fields });
  const [ofTrue, ofFalse] = plain.spots;
  return {
    ...plain,
    spots: [
      { ...ofTrue, label: fields.trueLabel },
      { ...ofFalse, label: fields.falseLabel },
    ],
    myCalls: calls.map((each, position) => buildCall({ id: id * 10 + position, eventId: id, ...each })),
  };
}

function scoreOf(fields: Drawn["leaders"][number], userId: number): ScoreView {
  return {
    id: userId,
    sessionId: 1,
    userId,
    avatar: noPicture,
    pushes: 0,
    accuracy: null,
    net: 0,
    roi: null,
    currentStreak: 0,
    bestStreak: 0,
    rankChange: null,
    ...fields,
  };
}

function sceneOf(drawn: Drawn): ActionScene {
  const { theme, timeZone, session, leaders, me, notifications, walletCents, next } = drawn;
  return {
    page: { ...buildPage(), viewer: viewerOf(drawn), theme, timeZone },
    session: buildSession(session),
    events: drawn.events.map(eventOf),
    leaders: {
      leaders: leaders.map((fields, index) => scoreOf(fields, index + 5)),
      me: me === null ? null : scoreOf(me, 7),
      exclusion: null,
      totalCount: 200,
    },
    wallet: buildWallet(walletCents),
    notifications: notifications.map(({ isNew, ...fields }, index) => ({
      id: index + 1,
      kind: "announcement",
      readAt: isNew ? null : inSeconds(-5),
      createdAt: inSeconds(-10),
      ...fields,
    })),
    active: next ? buildSession({ id: 2, slug: "next", name: drawn.name }) : null,
    nowMs: NOW_MS,
  };
}

test(`${SCENES} random Action pages are what React renders, with the router's own provider too`, async () => {
  await fc.assert(
    fc.asyncProperty(scene, async (drawn) => {
      const { page, byRouter } = await actionPage(sceneOf(drawn));
      expect(await expectReactsBytes(page)).toBe(renderByReact(byRouter));
    }),
    { numRuns: SCENES, seed: 13 },
  );
});
