import * as v from "valibot";
import { MESSAGE_LENGTH_MAX } from "#db/lists/limits.ts";
import { IDEMPOTENCY_KEY_LENGTH_MAX } from "#src/http/contract.ts";
import { moment, rowId, textBlock, textLine, wholeNumber } from "#src/http/schemas.ts";
import { avatarSchema } from "#src/people/avatars/schemas.ts";
import { MESSAGE_LINES_MAX, MUTE_MINUTES_MAX, MUTE_REASON_LENGTH_MAX } from "./contract.ts";

export const messageSchema = v.object({
  id: rowId,
  sessionId: rowId,
  userId: rowId,
  username: v.string(),
  avatar: avatarSchema,
  /** Empty if the message was deleted. */
  body: v.string(),
  /** Chosen by the sender, who recognizes its own message by it. */
  clientId: v.string(),
  createdAt: moment,
  deletedAt: v.nullable(moment),
  /** When a host let it on the big screen; it matters where the session's setting `chatApproval` is on. */
  approvedAt: v.nullable(moment),
});
export type MessageView = v.InferOutput<typeof messageSchema>;
export const messageAnswer = v.object({ message: messageSchema });

/** A player may not write in a session until a moment. */
export const muteSchema = v.object({ userId: rowId, until: moment, reason: v.string() });
export type MuteView = v.InferOutput<typeof muteSchema>;
export const muteAnswer = v.object({ mute: muteSchema });

export const messagesAnswer = v.object({
  /** Oldest first. */
  messages: v.array(messageSchema),
  meta: v.object({
    /** The `before` of the next request, for older messages; null if there are none. */
    before: v.nullable(rowId),
    /** The viewer's mute; null if the viewer is not muted. */
    muted: v.nullable(muteSchema),
    serverTime: moment,
  }),
});
export type MessagesAnswer = v.InferOutput<typeof messagesAnswer>;

/** `?session_id=friday-derby&before=123` */
export const messagesQuery = v.object({
  /** A session's id or slug. */
  sessionId: v.string(),
  /** Only messages before this one; without it, the newest. */
  before: v.optional(v.pipe(v.string(), v.toNumber(), rowId)),
});

/** A session as a body names it: its id or its slug. */
const session = v.pipe(v.union([rowId, v.string()]), v.transform(String));

/** A text of some lines, with one empty line between them at most. */
const writeLines = (text: string) =>
  text
    .split(/\r\n?|[\n\u0085\u2028\u2029]/)
    .map((line) => line.replaceAll(/[\t\v\f]+/g, " ").trim())
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n");
const messageText = v.pipe(
  textBlock(MESSAGE_LENGTH_MAX),
  v.transform(writeLines),
  v.nonEmpty(),
  v.check(
    (text) => text.split("\n").length <= MESSAGE_LINES_MAX,
    `has too many lines (maximum is ${MESSAGE_LINES_MAX})`,
  ),
);

export const createMessageBody = v.strictObject({ sessionId: session, body: messageText });

/** The data of the cable action `speak`. */
export const speakData = v.object({
  body: messageText,
  /** Made by the page, so that a message sent again after a reconnect is not written twice; generated if left out. */
  clientId: v.optional(textLine(IDEMPOTENCY_KEY_LENGTH_MAX)),
});
export const createMuteBody = v.strictObject({
  sessionId: session,
  userId: rowId,
  minutes: wholeNumber(1, MUTE_MINUTES_MAX),
  reason: textLine(MUTE_REASON_LENGTH_MAX),
});
