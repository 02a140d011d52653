import * as v from "valibot";
import { cents, dollars, listMeta, moment, rowId, textLine } from "#src/http/schemas.ts";
import { avatarSchema } from "#src/sign-ins/schemas.ts";
import { EXCLUSION_REASON_MAX, LEADERS_DEFAULT, LEADERS_MAX } from "./contract.ts";

export const scoreSchema = v.object({
  /** The player's id: a player has one score in a list. */
  id: rowId,
  userId: rowId,
  username: v.string(),
  avatar: avatarSchema,
  sessionId: v.nullable(rowId),
  /** Events won, lost and neither. */
  wins: v.number(),
  losses: v.number(),
  pushes: v.number(),
  net: dollars,
  netCents: cents,
  /** net / wagered; null where nothing was. */
  roi: v.nullable(v.number()),
  /** wins / (wins + losses); null where there is neither. */
  accuracy: v.nullable(v.number()),
  currentStreak: v.number(),
  bestStreak: v.number(),
  /** Equals share a rank: 1-2-2-4. */
  rank: v.number(),
  /** Shares its rank with somebody. */
  tied: v.boolean(),
  /** Places gained (+) or lost (-) since the last result; null where there is none before. */
  rankChange: v.nullable(v.number()),
});
export type ScoreView = v.InferOutput<typeof scoreSchema>;
/** `?session_id=friday&user_id=3` on the table. */
export const scoresQuery = v.object({
  /** A session's id or slug; all sessions together where left out. */
  sessionId: v.optional(v.string()),
  /** This player's score alone. */
  userId: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/, "is invalid"), v.transform(Number))),
});
export type ScoresQuery = v.InferOutput<typeof scoresQuery>;
/** `?session_id=friday&limit=10` on the leaders. */
export const leadersQuery = v.object({
  /** A session's id or slug; all sessions together where left out. */
  sessionId: v.optional(v.string()),
  limit: v.optional(
    v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1), v.maxValue(LEADERS_MAX)),
    String(LEADERS_DEFAULT),
  ),
});
export type LeadersQuery = v.InferOutput<typeof leadersQuery>;
export const scoresAnswer = v.object({ scores: v.array(scoreSchema), meta: listMeta });
/** Why a player is not ranked, as the player reads it. */
export const exclusionNote = v.object({
  /** Null: excluded from every table. */
  sessionId: v.nullable(rowId),
  reason: v.string(),
});
export type ExclusionNote = v.InferOutput<typeof exclusionNote>;
export const leadersAnswer = v.object({
  leaders: v.array(scoreSchema),
  me: v.nullable(scoreSchema),
  /** Why the viewer is not in this table; null for whoever may be. */
  exclusion: v.nullable(exclusionNote),
  totalCount: v.number(),
});
export type LeadersAnswer = v.InferOutput<typeof leadersAnswer>;

/** A player who is not ranked, as admins see it. */
export const exclusionSchema = v.object({
  id: rowId,
  userId: rowId,
  username: v.string(),
  avatar: avatarSchema,
  ...exclusionNote.entries,
  sessionName: v.nullable(v.string()),
  /** The admin who did it. */
  excludedBy: v.string(),
  createdAt: moment,
});
export type ExclusionView = v.InferOutput<typeof exclusionSchema>;
/** Body of POST /api/v1/scores/exclusions under `exclusion`. */
export const excludeBody = v.strictObject({
  userId: rowId,
  /** A session's id or slug; every table where left out. */
  sessionId: v.optional(v.nullable(v.union([v.string(), v.pipe(rowId, v.transform(String))]))),
  /** The player reads it. */
  reason: textLine(EXCLUSION_REASON_MAX),
});
export type ExcludeBody = v.InferOutput<typeof excludeBody>;
export const exclusionAnswer = v.object({ exclusion: exclusionSchema });
/** `?session_id=friday&user_id=3`: the exclusions that count in this session, or of this player. */
export const exclusionsQuery = v.object({ ...scoresQuery.entries });
export type ExclusionsQuery = v.InferOutput<typeof exclusionsQuery>;
export const exclusionsAnswer = v.object({ exclusions: v.array(exclusionSchema), meta: listMeta });
export type ExclusionsAnswer = v.InferOutput<typeof exclusionsAnswer>;

/** `?session_id=friday`: whose scores are counted anew; all where left out. */
export const recomputeQuery = v.object({ sessionId: v.optional(v.string()) });
/** What counting anew has changed. */
export const recomputeAnswer = v.object({
  recomputation: v.object({
    /** Players whose results or scores were not what the calls say, and are now. */
    mendedPlayersCount: v.number(),
  }),
});
export type RecomputeAnswer = v.InferOutput<typeof recomputeAnswer>;
