import * as v from "valibot";
import { SEASON_NAME_LENGTH_MAX, seasonStates } from "#db/lists/seasons.ts";
import { dateField, moment, rowId, textLine } from "#src/http/schemas.ts";
import { scoreSchema } from "#src/play/leaderboard/schemas.ts";

export const seasonSchema = v.object({
  id: rowId,
  slug: v.string(),
  name: v.string(),
  startsAt: moment,
  /** The first moment that is not in the season. */
  endsAt: moment,
  state: v.picklist(seasonStates),
});
export type SeasonView = v.InferOutput<typeof seasonSchema>;
export const seasonAnswer = v.object({ season: seasonSchema });
export const seasonsAnswer = v.object({ seasons: v.array(seasonSchema) });
export type SeasonsAnswer = v.InferOutput<typeof seasonsAnswer>;

const podiumPlace = v.pick(scoreSchema, [
  "username",
  "avatar",
  "wins",
  "losses",
  "net",
  "netCents",
  "rank",
  "tied",
]);
export type PodiumPlace = v.InferOutput<typeof podiumPlace>;
export const shownSeasonAnswer = v.object({
  season: v.object({
    ...seasonSchema.entries,
    /** Until its end, with the day that has begun; 0 when it has ended. */
    daysLeft: v.number(),
    /** The address of its page, and of the picture for those who post it. */
    url: v.string(),
    imageUrl: v.string(),
    playersCount: v.number(),
    /** The players of the first three ranks, without those of private shows alone; empty until the season has ended. */
    podium: v.array(podiumPlace),
    /** When a result of the season was corrected last, after its end. Processes of the release before leave it out. */
    correctedAt: v.optional(v.nullable(moment)),
  }),
});
export type ShownSeason = v.InferOutput<typeof shownSeasonAnswer>["season"];

const name = textLine(SEASON_NAME_LENGTH_MAX);

export const newSeasonBody = v.strictObject({ name, startsAt: dateField, endsAt: dateField });
export type NewSeasonBody = v.InferOutput<typeof newSeasonBody>;
/** Body of PATCH /api/v1/seasons/:id under `season`. What is left out stays. */
export const changeSeasonBody = v.partial(newSeasonBody);
export type ChangeSeasonBody = v.InferOutput<typeof changeSeasonBody>;
