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
  /** Left out of a session without one. */
  brand: v.optional(brandSchema),
  /** The viewer can open it without joining. */
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
  /** Of who has not joined, in a session with teams. Without it, and where there is no such team: the smallest one. */
  team: v.optional(teamNumber),
  ...guestBody.entries,
});
export type JoinBody = v.InferOutput<typeof joinBody>;
/** Its answer: the session, and who has joined it. */
export const joinedAnswer = v.object({ session: codedSessionSchema, user: viewerSchema });

/** The code of a session, and the address that leads to it. */
export const joinCodeAnswer = v.object({ joinCode: v.object({ code: v.string(), url: v.string() }) });
export type JoinCodeAnswer = v.InferOutput<typeof joinCodeAnswer>;

/** `?renew_code=true` on the removal of a player. */
export const removePlayerQuery = v.object({ renewCode: v.optional(v.picklist(["true", "false"])) });
