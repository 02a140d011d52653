import * as v from "valibot";
import { moment, rowId } from "#src/http/schemas.ts";
import { scoreSchema } from "#src/play/leaderboard/schemas.ts";

/** A chat message as everybody may read it on the big screen. */
export const stageMessageSchema = v.object({
  id: rowId,
  username: v.string(),
  body: v.string(),
  createdAt: moment,
});
export type StageMessage = v.InferOutput<typeof stageMessageSchema>;

/** What the big screen of a session shows besides the session and its events. */
export const stageAnswer = v.object({
  /** The first three. */
  leaders: v.array(scoreSchema),
  /** How many players have a rank. */
  playersCount: v.number(),
  /** The newest messages that are not deleted, oldest first; none unless the session is live. */
  messages: v.array(stageMessageSchema),
  /** The address at which players join; the QR code holds it. */
  joinUrl: v.string(),
});
export type StageAnswer = v.InferOutput<typeof stageAnswer>;

/** The stage link of a session: the address of its big screen, with a key. */
export const stageLinkAnswer = v.object({ stageLink: v.object({ key: v.string(), url: v.string() }) });
export type StageLinkAnswer = v.InferOutput<typeof stageLinkAnswer>;
