import type { OffsetMessage } from "#src/streams/stream-offsets.ts";

/** What is spoken on a socket: Action Cable as Rails has it, or with AnyCable's extensions. */
export type Wire = "plain" | "ext";

/** The frames of actioncable-v1-json, as text. An identifier is spelled as its client spelled it. */
export const WELCOME = JSON.stringify({ type: "welcome" });

/** @param sid by which the client may take up its subscriptions again; @param restored those it has taken up. */
export function extWelcome(sid: string, restored: readonly string[] | null): string {
  const taken = restored === null ? {} : { restored: true, restored_ids: restored };
  return JSON.stringify({ type: "welcome", sid, ...taken });
}

/** @param atMs milliseconds since 1970; the wire wants seconds. */
export function ping(atMs: number): string {
  return JSON.stringify({ type: "ping", message: Math.floor(atMs / 1_000) });
}

export function confirmation(identifier: string): string {
  return JSON.stringify({ identifier, type: "confirm_subscription" });
}

export function rejection(identifier: string): string {
  return JSON.stringify({ identifier, type: "reject_subscription" });
}

/** Whether all was sent that an extended client had missed. */
export function historyAnswer(identifier: string, { complete }: { complete: boolean }): string {
  return JSON.stringify({ identifier, type: complete ? "confirm_history" : "reject_history" });
}

/** Who came, who left, or who is there, for an extended client. */
export function presenceFrame(identifier: string, message: unknown): string {
  return JSON.stringify({ identifier, type: "presence", message });
}

export type DisconnectReason = "unauthorized" | "invalid_request" | "server_restart" | "remote" | "too_slow";

/** Some are told to stay away: they would ask for ever, and in vain. */
export function disconnection(reason: DisconnectReason): string {
  const reconnect = reason !== "unauthorized" && reason !== "invalid_request";
  return JSON.stringify({ type: "disconnect", reason, reconnect });
}

/** A message for one subscription, put in its frame without being read. */
export function transmission(identifier: string, message: string): string {
  return `{"identifier":${JSON.stringify(identifier)},"message":${message}}`;
}

/** A message of a stream in its frame; extended clients are told its place beside it, as AnyCable does. */
export function delivery(wire: Wire, identifier: string, { stream, heard }: Delivered): string {
  const frame = transmission(identifier, heard.text);
  if (wire === "plain") return frame;
  const place = JSON.stringify({ stream_id: stream, epoch: heard.epoch, offset: heard.offset });
  return `${frame.slice(0, -1)},${place.slice(1)}`;
}
type Delivered = { stream: string; heard: OffsetMessage };
