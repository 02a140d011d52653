import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { Relay } from "./relay-outbox.ts";

// Decision: the relay of a process runs in a thread of its own, with connections of its own. Building the messages of a large
// settlement keeps a thread busy for tens of milliseconds at a time, and players' calls and due closes would wait for it. What processes share,
// which is the outbox, the lock and the limits in Redis, is shared by threads in the same way.

/** Starts the relay of this process in a thread. Without its relay the process ends: whatever supervises it starts another one. */
export function startRelayThread(log: Logger): Relay {
  const thread = new Worker(new URL("./relay-thread.ts", import.meta.url));
  const stopped = Promise.withResolvers<void>();
  let isNotified = false;
  let isStopping = false;
  let isStuck = false;
  thread.on("message", (said) => {
    if (said === "stopped") stopped.resolve();
    else isStuck = said === "stuck";
  });
  thread.on("error", (error) => log.fatal({ err: error }, "the relay has crashed"));
  thread.on("exit", () => {
    if (!isStopping) process.exit(1);
    stopped.resolve();
  });
  return {
    // Once for all calls of a batch, after their answers.
    notify: () => {
      if (isNotified || isStopping) return;
      isNotified = true;
      setImmediate(() => {
        isNotified = false;
        thread.postMessage("notify");
      });
    },
    isStuck: () => isStuck,
    stop: async () => {
      isStopping = true;
      thread.postMessage("stop");
      await stopped.promise;
      await thread.terminate();
    },
  };
}
