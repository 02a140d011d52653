import * as v from "valibot";
import { walletRow } from "#db/ledger/read-wallet.ts";
import { callStates, outcomes } from "#db/lists/calls.ts";
import { notificationKinds } from "#db/lists/notifications.ts";
import { sessionStates } from "#db/lists/sessions.ts";
import { spotStates } from "#db/lists/spots.ts";
import { signInRow } from "#src/people/sign-ins/find-sign-in.ts";
import { viewerColumnsRow } from "#src/people/sign-ins/viewer.ts";
import { sumsRow } from "#src/play/leaderboard/score-conditions.ts";

/*
 * What the statement of page reads answers. Rows are not checked while the product runs, because checking would cost more than reading
 * them: tests/pages/page-read/page-read-row.test.ts holds these schemas to the database.
 */

/** As Postgres writes it in JSON: 2026-11-22T20:00:00.123456+00:00 */
const time = v.string();

/** id, kind, title, body, url, read at, created at. */
const notification = v.tuple([
  v.number(),
  v.picklist(notificationKinds),
  v.string(),
  v.string(),
  v.nullable(v.string()),
  v.nullable(time),
  time,
]);
export type NotificationTuple = v.InferOutput<typeof notification>;

/** id, event, spot, state, wager and payout in cents, outcome, placed at. */
const call = v.tuple([
  v.number(),
  v.number(),
  v.number(),
  v.picklist(callStates),
  v.number(),
  v.nullable(v.number()),
  v.nullable(v.picklist(outcomes)),
  time,
]);
export type CallTuple = v.InferOutput<typeof call>;

/** event, id, state, calls, pool in cents, won, opened, closed and resolved at. */
export const spotTuple = v.tuple([
  v.number(),
  v.number(),
  v.picklist(spotStates),
  v.number(),
  v.number(),
  v.nullable(v.boolean()),
  v.nullable(time),
  v.nullable(time),
  v.nullable(time),
]);
export type SpotTuple = v.InferOutput<typeof spotTuple>;

/** A session that was asked for, as it is now. */
const seenSession = v.object({
  id: v.number(),
  slug: v.string(),
  // A state that only a newer release knows takes no calls.
  state: v.fallback(v.picklist(sessionStates), "paused"),
  /** What the settings say about who may watch. */
  settings: v.object({ private: v.boolean() }),
  /** Changes with every change of the session's row. */
  rowVersion: v.string(),
  /** JSON of the columns that players read. */
  row: v.string(),
  eventsCount: v.number(),
  registrationsCount: v.number(),
  /** Changes with every change of its published events, except for the pools of those that have no result. */
  eventsVersion: v.string(),
  /** JSON of the spots of the published events without a result; see spotTuple. */
  liveSpots: v.string(),
  leaderboardVersion: v.string(),
  /** Of the leaders that this process knows; see versionOfLeaders. */
  leadersVersion: v.string(),
});
export type SeenSession = v.InferOutput<typeof seenSession>;

const activeSession = v.object({ id: v.number(), slug: v.string(), name: v.string() });
export type ActiveSession = v.InferOutput<typeof activeSession>;

/** In the first row only. */
const shared = v.object({
  sessions: v.nullable(v.array(seenSession)),
  active: v.nullable(activeSession),
  /** The names of what is turned off. */
  off: v.nullable(v.array(v.string())),
});

/** The user's columns of a sign-in that was not ended, and what belongs to the user. */
const signedIn = v.object({
  ...signInRow.entries,
  ...viewerColumnsRow.entries,
  notificationsCount: v.number(),
  unreadCount: v.number(),
  newest: v.nullable(v.array(notification)),
  registered: v.boolean(),
  /** A host has removed the player from the session. */
  removed: v.boolean(),
  /** The active session is not for the player, unless that is an admin. */
  shutOutOfActive: v.boolean(),
  calls: v.nullable(v.array(call)),
  exclusion: v.nullable(v.object({ sessionId: v.nullable(v.number()), reason: v.string() })),
});
const signedOut = v.object({ signInId: v.null() });

/** The wallet and the sums of all sessions; 0 before the first result. */
const withWallet = v.object({
  ...v.omit(walletRow, ["userId"]).entries,
  totalWageredCents: v.number(),
  totalReturnedCents: v.number(),
  totalCalls: v.number(),
  totalWins: v.number(),
  totalLosses: v.number(),
  totalRefunded: v.number(),
  totalStreak: v.number(),
  totalBestStreak: v.number(),
});
const withoutWallet = v.object({ accountId: v.null() });

const withoutScore = v.object({ played: v.null() });

export const pageReadRow = v.intersect([
  shared,
  v.union([signedIn, signedOut]),
  v.union([withWallet, withoutWallet]),
  v.union([sumsRow, withoutScore]),
]);
export type PageReadRow = v.InferOutput<typeof pageReadRow>;
export type SignedInRow = PageReadRow & v.InferOutput<typeof signedIn>;
