import * as v from "valibot";
import { Listener } from "./listener.ts";

// A process with many sockets of one session: bun tests/bench/endurance/listeners.ts.

const OPENED_AT_ONCE = 50;

const command = v.variant("command", [
  v.object({
    command: v.literal("open"),
    origin: v.string(),
    identifier: v.string(),
    cookies: v.array(v.string()),
    /** Of the first address. Each socket has its own. */
    firstAddress: v.number(),
  }),
  v.object({ command: v.literal("report") }),
]);

export const listenersReport = v.object({
  open: v.number(),
  messages: v.number(),
  /** Messages that were skipped, by their offsets. */
  missed: v.number(),
  /** Messages that came again. */
  doubled: v.number(),
  /** Histories that the server did not have any more. */
  rejected: v.number(),
  reconnects: v.number(),
  /** The offsets of the socket that is behind all others, and of the one that is ahead. */
  lowest: v.number(),
  highest: v.number(),
});
export type ListenersReport = v.InferOutput<typeof listenersReport>;

const listeners: Listener[] = [];

async function open({
  origin,
  identifier,
  cookies,
  firstAddress,
}: v.InferOutput<typeof command> & { command: "open" }) {
  for (let from = 0; from < cookies.length; from += OPENED_AT_ONCE) {
    const opened = cookies.slice(from, from + OPENED_AT_ONCE).map((cookie, index) => {
      const number = firstAddress + from + index;
      const address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
      return new Listener({ origin, identifier, cookie, address });
    });
    listeners.push(...opened);
    await Promise.all(opened.map(({ ready }) => ready));
  }
}

function report(): ListenersReport {
  const offsets = listeners.map(({ at }) => at?.offset ?? 0);
  return {
    ...Listener.counts,
    open: listeners.filter(({ isOpen }) => isOpen).length,
    lowest: Math.min(...offsets),
    highest: Math.max(...offsets),
  };
}

if (import.meta.main) {
  process.on("message", (message) => {
    const parsed = v.parse(command, message);
    if (parsed.command === "report") process.send?.(report());
    else void open(parsed).then(() => process.send?.(report()));
  });
}
