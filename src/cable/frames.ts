/** The frames of actioncable-v1-json, as text. An identifier is spelled as its client spelled it. */
export const WELCOME = JSON.stringify({ type: "welcome" });

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

export type DisconnectReason = "unauthorized" | "server_restart" | "remote";

/** Only an unauthorized client is told to stay away: without a sign-in it would ask for ever. */
export function disconnection(reason: DisconnectReason): string {
  return JSON.stringify({ type: "disconnect", reason, reconnect: reason !== "unauthorized" });
}

/** A message of a stream, put in its frame without being read. */
export function delivery(identifier: string, message: string): string {
  return `{"identifier":${JSON.stringify(identifier)},"message":${message}}`;
}
