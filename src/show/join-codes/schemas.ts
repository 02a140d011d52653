import * as v from "valibot";
import { sessionStates } from "#db/lists/sessions.ts";
import { textLine, moment, rowId } from "#src/http/schemas.ts";
import { viewerSchema } from "#src/people/sign-ins/schemas.ts";
import { guestBody } from "#src/people/users/schemas.ts";
import { offeredTeams, teamNumber } from "#src/play/teams/schemas.ts";
import { brandSchema } from "#src/show/brands/schemas.ts";
import { TYPED_CODE_LENGTH_MAX } from "./contract.ts";

/** What a code tells about its session to those who have not entered it. */
export const codedSessionSchema = v.object({
  id: rowId,
  slug: v.string(),
  name: v.string(),
  description: v.string(),
  state: v.picklist(sessionStates),
  startsAt: v.nullable(moment),
  private: v.boolean(),
  /** The host lets nobody in who is not in yet. */
  locked: v.boolean(),
  /** A new guest gets a name: one that is sent is not used. */
  givenNames: v.boolean(),
  /** Left out of a session without one. */
  brand: v.optional(brandSchema),
  entered: v.boolean(),
  /** The number of the viewer's team; null for who has none yet, and in a session without teams. */
  team: v.nullable(v.number()),
  ...offeredTeams.entries,
});
export type CodedSession = v.InferOutput<typeof codedSessionSchema>;
export const codedSessionAnswer = v.object({ session: codedSessionSchema });

/** Body of POST /api/v1/joins under `join`. Name and face are those of a new guest. */
export const joinBody = v.strictObject({
  code: textLine(TYPED_CODE_LENGTH_MAX),
  /** What the link of the session has beside the code. */
  k: v.optional(textLine(TYPED_CODE_LENGTH_MAX)),
  /** Of who has not joined, in a session with teams. Without it, and where there is no such team: the smallest one. */
  team: v.optional(teamNumber),
  ...guestBody.entries,
});
export type JoinBody = v.InferOutput<typeof joinBody>;
/** Its answer: the session, and who has joined it. */
export const joinedAnswer = v.object({ session: codedSessionSchema, user: viewerSchema });

/** `?k=` of a code that came with the link of its session. */
export const codeQuery = v.object({ k: v.optional(v.string()) });

/** The code of a session, and the address that leads to it. */
export const joinCodeAnswer = v.object({ joinCode: v.object({ code: v.string(), url: v.string() }) });
export type JoinCodeAnswer = v.InferOutput<typeof joinCodeAnswer>;

const wave = v.object({
  /** Of those who have come: names their network, in this session alone. Of those who were removed: names the removal. */
  id: v.string(),
  count: v.number(),
  /** The newest of them. */
  usernames: v.array(v.string()),
  /** When the newest came, or when they were removed. */
  at: moment,
});
export type Wave = v.InferOutput<typeof wave>;
export const wavesAnswer = v.object({
  /** Several players who came from one network within the last minutes. */
  arrived: v.array(wave),
  /** Removals that can be taken back. */
  removed: v.array(wave),
  meta: v.object({ serverTime: moment }),
});
export type WavesAnswer = v.InferOutput<typeof wavesAnswer>;

/** `?until=` on the removal of a wave: the `serverTime` of the list. */
export const removeWaveQuery = v.object({ until: moment });

const wholeWave = v.object({ id: v.string(), count: v.number() });
/** The id of the removal of a wave, and how many players it is about. */
export type WholeWave = v.InferOutput<typeof wholeWave>;
export const waveAnswer = v.object({ wave: wholeWave });

/** `?renew_code=true` on the removal of a player. */
export const removePlayerQuery = v.object({ renewCode: v.optional(v.picklist(["true", "false"])) });
