import * as v from "valibot";
import { IDEMPOTENCY_KEY_LENGTH_MAX, moment, rowId, textLine, wholeNumber } from "#src/http/contract.ts";
import { avatarShape } from "#src/sign-ins/contract.ts";

/** Nobody writes more often, in all sessions together. */
export const MESSAGE_EVERY_SECONDS = 2;
export const MESSAGE_LENGTH_MAX = 500;
/** How many messages come at once. */
export const MESSAGES_SHOWN = 50;
/** What admins may choose between for a session's slow mode, in seconds between two messages of one player; 0 is off. */
export const slowModes = [0, 5, 10, 30, 60] as const;

export const messageShape = v.object({
  id: rowId,
  sessionId: rowId,
  userId: rowId,
  username: v.string(),
  avatar: avatarShape,
  /** Empty once it is deleted. */
  body: v.string(),
  /** By which whoever wrote it knows it again. */
  clientId: v.string(),
  createdAt: moment,
  deletedAt: v.nullable(moment),
});
export type MessageView = v.InferOutput<typeof messageShape>;
export const messageAnswer = v.object({ message: messageShape });

/** That a player may not write for a while. */
export const muteShape = v.object({ userId: rowId, until: moment, reason: v.string() });
export type MuteView = v.InferOutput<typeof muteShape>;
export const muteAnswer = v.object({ mute: muteShape });

export const messagesAnswer = v.object({
  /** In the order in which they were written. */
  messages: v.array(messageShape),
  meta: v.object({
    /** What asks for those before them; null where there are none. */
    before: v.nullable(rowId),
    /** The viewer may not write; null: may. */
    muted: v.nullable(muteShape),
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

export const MUTE_MINUTES_MAX = 1_440;
export const MUTE_REASON_LENGTH_MAX = 200;
/** Body of POST /api/v1/mutes under `mute`. */
export const createMuteBody = v.strictObject({
  sessionId: session,
  userId: rowId,
  minutes: wholeNumber(1, MUTE_MINUTES_MAX),
  reason: textLine(MUTE_REASON_LENGTH_MAX),
});

/** One line of plain text: no control characters, nothing that turns the reading direction, no piles of accents. */
function cleanText(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, " ")
    .replaceAll(/[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\p{Cs}/gu, "")
    .replaceAll(/(\p{M}{3})\p{M}+/gu, "$1")
    .trim();
}
