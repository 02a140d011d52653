import * as v from "valibot";
import type { OffsetMessage } from "#src/base/streams/stream-offsets.ts";

/** The protocol of a socket: Action Cable as in Rails, or with AnyCable's extensions. */
export type Protocol = "plain" | "ext";

// The frames of actioncable-v1-json, as text. An identifier is always the exact text that the client sent.
export const WELCOME = JSON.stringify({ type: "welcome" });

/**
 * @param sid the connection's id, by which the client can resume its subscriptions later.
 * @param restored the resumed subscriptions; null if there was nothing to resume.
 */
export function extWelcome(sid: string, restored: readonly string[] | null): string {
  const resumed = restored === null ? {} : { restored: true, restored_ids: restored };
  return JSON.stringify({ type: "welcome", sid, ...resumed });
}

/** @param atMs milliseconds since 1970; the frame has seconds. */
export function ping(atMs: number): string {
  return JSON.stringify({ type: "ping", message: Math.floor(atMs / 1_000) });
}

export function confirmation(identifier: string): string {
  return JSON.stringify({ identifier, type: "confirm_subscription" });
}

export function rejection(identifier: string): string {
  return JSON.stringify({ identifier, type: "reject_subscription" });
}

/** Tells an extended client whether the history that it asked for was complete. */
export function historyAnswer(identifier: string, { complete }: { complete: boolean }): string {
  return JSON.stringify({ identifier, type: complete ? "confirm_history" : "reject_history" });
}

/** Tells an extended client who joined, who left, or who is present. */
export function presenceFrame(identifier: string, message: unknown): string {
  return JSON.stringify({ identifier, type: "presence", message });
}

/** What the server sends beside messages. What is optional is for extended clients. */
export const serverFrames = {
  welcome: v.object({
    type: v.literal("welcome"),
    sid: v.optional(v.string()),
    restored: v.optional(v.boolean()),
    restored_ids: v.optional(v.array(v.string())),
  }),
  /** `message` is the server's time, in Unix seconds. */
  ping: v.object({ type: v.literal("ping"), message: v.number() }),
  confirm_subscription: v.object({ type: v.literal("confirm_subscription"), identifier: v.string() }),
  reject_subscription: v.object({ type: v.literal("reject_subscription"), identifier: v.string() }),
  confirm_history: v.object({ type: v.literal("confirm_history"), identifier: v.string() }),
  reject_history: v.object({ type: v.literal("reject_history"), identifier: v.string() }),
  presence: v.object({ type: v.literal("presence"), identifier: v.string(), message: v.looseObject({}) }),
  disconnect: v.object({ type: v.literal("disconnect"), reason: v.string(), reconnect: v.boolean() }),
};

const streamOffset = v.object({ epoch: v.string(), offset: v.number() });
/** Messages of a subscription that are about its stream: that a page has caught up, that it has to read its data again, and an offset whose content a newer message has replaced. */
export const streamMessages = {
  caught_up: v.object({ caughtUp: streamOffset }),
  gap: v.object({ gap: v.literal(true), ...streamOffset.entries }),
  replaced: streamOffset,
};

const finalReasons = ["unauthorized", "invalid_request", "too_many_connections"] as const;
type FinalReason = (typeof finalReasons)[number];
export type DisconnectReason = FinalReason | "server_restart" | "remote" | "too_slow";

/** For some reasons the client must not reconnect: it would be refused each time, or take the place of another one. */
export function disconnection(reason: DisconnectReason): string {
  const reconnect = !finalReasons.some((each) => each === reason);
  return JSON.stringify({ type: "disconnect", reason, reconnect });
}

/** A message for one subscription. @param message JSON, which is not parsed. */
export function transmission(identifier: string, message: string): string {
  return `{"identifier":${JSON.stringify(identifier)},"message":${message}}`;
}

/** A message of a stream. For extended clients the frame also has the offset, as in AnyCable. */
export function delivery(
  protocol: Protocol,
  identifier: string,
  { stream, message: { text, epoch, offset } }: StreamMessage,
): string {
  const frame = transmission(identifier, text);
  if (protocol === "plain") return frame;
  const position = JSON.stringify({ stream_id: stream, epoch, offset });
  return `${frame.slice(0, -1)},${position.slice(1)}`;
}

type StreamMessage = { stream: string; message: OffsetMessage };

/** A channel with an id needs about a tenth of this. Longer identifiers would only cost memory. */
export const IDENTIFIER_LENGTH_MAX = 1_024;
/** A subscription has at most two streams; more entries are of no use. */
const STREAMS_MAX = 20;

const identifier = v.pipe(v.string(), v.maxLength(IDENTIFIER_LENGTH_MAX));

/** Where an extended client wants its history to begin: its offset in each stream, or else a Unix second. */
const historyRequest = v.object({
  since: v.nullish(v.number()),
  streams: v.nullish(
    v.pipe(
      v.record(v.string(), v.object({ epoch: v.string(), offset: v.number() })),
      v.maxEntries(STREAMS_MAX),
    ),
  ),
});
export type HistoryRequest = v.InferOutput<typeof historyRequest>;

/** What a client sends. */
export const command = v.variant("command", [
  v.object({
    command: v.literal("subscribe"),
    /** One that is too long is rejected, as each subscription is answered. */
    identifier: v.string(),
    history: v.nullish(historyRequest),
    /** An extended client that was present before joins again. */
    presence: v.nullish(v.looseObject({})),
  }),
  v.object({ command: v.literal("unsubscribe"), identifier }),
  v.object({ command: v.literal("message"), identifier, data: v.string() }),
  v.object({ command: v.literal("history"), identifier, history: v.nullish(historyRequest) }),
  v.object({ command: v.picklist(["join", "leave", "presence"]), identifier }),
  v.object({ command: v.literal("pong") }),
]);
export type Command = v.InferOutput<typeof command>;

/** Parses a frame of a client; null if it is not JSON or not a command. */
export function parseCommand(text: string): Command | null {
  const parsed = v.safeParse(command, parseJson(text));
  return parsed.success ? parsed.output : null;
}

/** Parses JSON, such as the text of an identifier; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
