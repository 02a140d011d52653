import { ownVariables } from "#src/settings/env.ts";

/**
 * Announces that this process serves: to a process that started it with a channel for messages, such as `bun run start`, and to
 * systemd (Type=notify), whose message only a program of its own can send.
 */
export function announceReady(): void {
  process.send?.("ready");
  if (ownVariables()["NOTIFY_SOCKET"] === undefined) return;
  Bun.spawn(["systemd-notify", "--ready"], { stdio: ["ignore", "inherit", "inherit"] });
}
