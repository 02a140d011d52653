import { ownVariables } from "#src/settings/env.ts";

/** Two may come late before systemd ends the process. */
const SIGNS_PER_LIMIT = 3;
const US_PER_MS = 1_000;

/**
 * Announces that this process serves: to a process that started it with a channel for messages, such as `bun run start`, and to
 * systemd (Type=notify), whose message only a program of its own can send. From then on systemd gets a sign of life as often as
 * WatchdogSec asks, from the event loop that serves. So a process that is frozen or hangs is ended, and started again.
 */
export function announceReady(): void {
  process.send?.("ready");
  const { NOTIFY_SOCKET: socket = "", WATCHDOG_USEC: limitUs = "" } = ownVariables();
  if (socket === "") return;
  tellSystemd("--ready");
  if (limitUs === "") return;
  setInterval(() => tellSystemd("WATCHDOG=1"), Number(limitUs) / US_PER_MS / SIGNS_PER_LIMIT).unref();
}

/** Some 10 ms of CPU time: neither Bun nor Node can send a datagram to a socket that is a file. */
function tellSystemd(message: string): void {
  Bun.spawn(["systemd-notify", message], { stdio: ["ignore", "inherit", "inherit"] });
}
