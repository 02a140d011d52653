import * as v from "valibot";
import { listMeta, moment, money, rowId, textLine } from "#src/http/schemas.ts";
import { avatarSchema } from "#src/people/avatars/schemas.ts";
import { EXCLUSION_REASON_MAX, LEADERS_DEFAULT, LEADERS_MAX } from "./contract.ts";

export const scoreSchema = v.object({
  /** The player's id: a player has one score in a list. */
  id: rowId,
  userId: rowId,
  username: v.string(),
  avatar: avatarSchema,
  sessionId: v.nullable(rowId),
  wins: v.number(),
  losses: v.number(),
  /** Events neither won nor lost. */
  pushes: v.number(),
  ...money("net"),
  /** net / wagered; null if nothing was wagered. */
  roi: v.nullable(v.number()),
  /** wins / (wins + losses); null if there are neither. */
  accuracy: v.nullable(v.number()),
  currentStreak: v.number(),
  bestStreak: v.number(),
  /** Equal scores share a rank: 1-2-2-4. */
  rank: v.number(),
  /** Another player has the same rank. */
  tied: v.boolean(),
  /** Ranks gained (+) or lost (-) by the last result; null without an earlier score. */
  rankChange: v.nullable(v.number()),
});
export type ScoreView = v.InferOutput<typeof scoreSchema>;
/** A session's id or slug; without it, all sessions together. */
const sessionId = v.optional(v.string());
/** A season's id or slug, or `current`: what was decided in it, in all sessions. */
const seasonId = v.optional(v.string());
/** Only this player's score. */
const userId = v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/, "is invalid"), v.transform(Number)));
/** `?session_id=friday&user_id=3` on the list of scores. */
export const scoresQuery = v.object({ sessionId, seasonId, userId });
export type ScoresQuery = v.InferOutput<typeof scoresQuery>;
/** `?session_id=friday&limit=10` on the leaders. */
export const leadersQuery = v.object({
  sessionId,
  seasonId,
  limit: v.optional(
    v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1), v.maxValue(LEADERS_MAX)),
    String(LEADERS_DEFAULT),
  ),
});
export type LeadersQuery = v.InferOutput<typeof leadersQuery>;
export const scoresAnswer = v.object({ scores: v.array(scoreSchema), meta: listMeta });
export const exclusionNote = v.object({
  /** Null: excluded from every leaderboard. */
  sessionId: v.nullable(rowId),
  reason: v.string(),
});
export type ExclusionNote = v.InferOutput<typeof exclusionNote>;
export const leadersAnswer = v.object({
  leaders: v.array(scoreSchema),
  me: v.nullable(scoreSchema),
  /** Why the viewer is not on this leaderboard; null if neither excluded nor a guest who has no rank. */
  exclusion: v.nullable(exclusionNote),
  totalCount: v.number(),
});
export type LeadersAnswer = v.InferOutput<typeof leadersAnswer>;

export const exclusionSchema = v.object({
  id: rowId,
  userId: rowId,
  username: v.string(),
  avatar: avatarSchema,
  ...exclusionNote.entries,
  sessionName: v.nullable(v.string()),
  excludedBy: v.string(),
  createdAt: moment,
});
export type ExclusionView = v.InferOutput<typeof exclusionSchema>;
export const excludeBody = v.strictObject({
  userId: rowId,
  /** A session's id or slug; without it, every leaderboard. */
  sessionId: v.optional(v.nullable(v.union([v.string(), v.pipe(rowId, v.transform(String))]))),
  /** The player can read it. */
  reason: textLine(EXCLUSION_REASON_MAX),
});
export type ExcludeBody = v.InferOutput<typeof excludeBody>;
export const exclusionAnswer = v.object({ exclusion: exclusionSchema });
/** `?session_id=friday&user_id=3`: the exclusions that apply to this session, or are of this player. */
export const exclusionsQuery = v.object({ sessionId, userId });
export type ExclusionsQuery = v.InferOutput<typeof exclusionsQuery>;
export const exclusionsAnswer = v.object({ exclusions: v.array(exclusionSchema), meta: listMeta });
export type ExclusionsAnswer = v.InferOutput<typeof exclusionsAnswer>;

/** `?session_id=friday`: the session whose scores are recomputed; without it, all. */
export const recomputeQuery = v.object({ sessionId: v.optional(v.string()) });
export const recomputeAnswer = v.object({
  recomputation: v.object({
    /** Players whose results or scores differed from their calls, and were repaired. */
    mendedPlayersCount: v.number(),
  }),
});
export type RecomputeAnswer = v.InferOutput<typeof recomputeAnswer>;
