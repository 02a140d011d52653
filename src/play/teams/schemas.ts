import * as v from "valibot";
import { TEAM_NAME_LENGTH_MAX, teamNumbers, TEAMS_MIN } from "#db/lists/teams.ts";
import { money, rowId, textLine, wholeNumber } from "#src/http/schemas.ts";

const { max: teamsMax } = teamNumbers;
const howMany = `must be ${TEAMS_MIN} to ${teamsMax} names, or none`;

/** The names of a session's teams; none: it has no teams. A team is known by its number, so a name can change. */
export const teamNames = v.pipe(
  v.array(textLine(TEAM_NAME_LENGTH_MAX)),
  v.maxLength(teamsMax, howMany),
  v.check(({ length }) => length === 0 || length >= TEAMS_MIN, howMany),
);

/** The names as they are stored; none where the setting is of another release, or invalid today. */
export const storedTeams = v.fallback(v.optional(teamNames, []), []);

/** The number of a team, from 1. */
export const teamNumber = wholeNumber(teamNumbers.min, teamNumbers.max);

export const teamSchema = v.object({
  /** From 1, in the order of the session's settings. */
  number: v.number(),
  name: v.string(),
  membersCount: v.number(),
  /** Those of them who have a result and are on the leaderboard. Only they count. */
  playersCount: v.number(),
  /** What they have won and lost together. */
  ...money("net"),
  /** The net, divided by the players who count and five more: in dollars, to the cent. */
  ...money("score"),
  /** Equal scores share a rank: 1-2-2-4. */
  rank: v.number(),
  /** Another team has the same rank. */
  tied: v.boolean(),
});
export type TeamView = v.InferOutput<typeof teamSchema>;

export const offeredTeams = v.object({
  /** In the order of their numbers; none in a session without teams. */
  teams: v.array(v.pick(teamSchema, ["number", "name", "membersCount"])),
  /** The number of the team with the fewest members, which who chooses none gets; null without teams. */
  suggested: v.nullable(v.number()),
});
export type OfferedTeams = v.InferOutput<typeof offeredTeams>;

/** `?session_id=friday` */
export const teamsQuery = v.object({
  /** A session's id or slug. */
  sessionId: v.string(),
});
export const teamsAnswer = v.object({
  /** By rank; none in a session without teams. */
  teams: v.array(teamSchema),
  /** The number of the viewer's team; null if the viewer has not joined. */
  mine: v.nullable(v.number()),
  /** The number of the team with the fewest members, which the viewer would join; null without teams. */
  suggested: v.nullable(v.number()),
  /** The viewer may choose another team: until the first result, and until the session is over. */
  changeable: v.boolean(),
});
export type TeamsAnswer = v.InferOutput<typeof teamsAnswer>;

export const chooseTeamBody = v.strictObject({ number: teamNumber });
/** Its answer: who is in which team now. */
export const teamAnswer = v.object({
  team: v.object({ sessionId: rowId, userId: rowId, number: v.number(), name: v.string() }),
});
export type TeamAnswer = v.InferOutput<typeof teamAnswer>;
