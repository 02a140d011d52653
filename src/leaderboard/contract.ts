import * as v from "valibot";
import { cents, dollars, listMeta, rowId } from "#src/http/contract.ts";
import { avatarShape } from "#src/users/contract.ts";

export const LEADERS_DEFAULT = 10;
export const LEADERS_MAX = 100;

export const scoreShape = v.object({
  /** The player's id: a player has one score in a list. */
  id: rowId,
  userId: rowId,
  username: v.string(),
  avatar: avatarShape,
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
export type ScoreView = v.InferOutput<typeof scoreShape>;
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
export const scoresAnswer = v.object({ scores: v.array(scoreShape), meta: listMeta });
export const leadersAnswer = v.object({
  leaders: v.array(scoreShape),
  me: v.nullable(scoreShape),
  totalCount: v.number(),
});
export type LeadersAnswer = v.InferOutput<typeof leadersAnswer>;
