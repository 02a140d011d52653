import * as v from "valibot";
import { IDEMPOTENCY_KEY_LENGTH_MAX } from "#src/http/contract.ts";
import { moment, rowId, textLine, wholeNumber } from "#src/http/schemas.ts";
import { avatarSchema } from "#src/sign-ins/schemas.ts";
import { MESSAGE_LENGTH_MAX, MUTE_MINUTES_MAX, MUTE_REASON_LENGTH_MAX, cleanText } from "./contract.ts";

export const messageSchema = v.object({
  id: rowId,
  sessionId: rowId,
  userId: rowId,
  username: v.string(),
  avatar: avatarSchema,
  /** Empty once it is deleted. */
  body: v.string(),
  /** By which whoever wrote it knows it again. */
  clientId: v.string(),
  createdAt: moment,
  deletedAt: v.nullable(moment),
});
export type MessageView = v.InferOutput<typeof messageSchema>;
export const messageAnswer = v.object({ message: messageSchema });

/** That a player may not write for a while. */
export const muteSchema = v.object({ userId: rowId, until: moment, reason: v.string() });
export type MuteView = v.InferOutput<typeof muteSchema>;
export const muteAnswer = v.object({ mute: muteSchema });

export const messagesAnswer = v.object({
  /** In the order in which they were written. */
  messages: v.array(messageSchema),
  meta: v.object({
    /** What asks for those before them; null where there are none. */
    before: v.nullable(rowId),
    /** The viewer may not write; null: may. */
    muted: v.nullable(muteSchema),
    serverTime: moment,
  }),
});
export type MessagesAnswer = v.InferOutput<typeof messagesAnswer>;

/** `?session_id=friday-derby&before=123` */
export const messagesQuery = v.object({
  /** A session's id or slug. */
  sessionId: v.string(),
  /** Those before this message; the newest where left out. */
  before: v.optional(v.pipe(v.string(), v.toNumber(), rowId)),
});

/** A session as a body names it: its id or its slug. */
const session = v.pipe(v.union([rowId, v.string()]), v.transform(String));

const messageText = v.pipe(
  v.string(),
  v.transform(cleanText),
  v.nonEmpty("can't be blank"),
  v.maxLength(MESSAGE_LENGTH_MAX),
);

/** Body of POST /api/v1/messages under `message`. */
export const createMessageBody = v.strictObject({ sessionId: session, body: messageText });

/** What comes with `speak` over the cable. */
export const speakData = v.object({
  body: messageText,
  /** Made by the page, so that what is spoken again after a reconnect is one message; one of its own where left out. */
  clientId: v.optional(textLine(IDEMPOTENCY_KEY_LENGTH_MAX)),
});
/** Body of POST /api/v1/mutes under `mute`. */
export const createMuteBody = v.strictObject({
  sessionId: session,
  userId: rowId,
  minutes: wholeNumber(1, MUTE_MINUTES_MAX),
  reason: textLine(MUTE_REASON_LENGTH_MAX),
});
