import path from "node:path";
import * as v from "valibot";
import { clientReport, type ClientReport, type ClientRound } from "./page-client.ts";
import { endWithThis } from "./start-web.ts";

/** A process that requests pages, so that neither the bench's own work nor its memory disturbs the measurement. */
export type PageClient = {
  run: (round: ClientRound) => Promise<ClientReport>;
  stop: () => Promise<void>;
};

export function startClient(): PageClient {
  let waiting: PromiseWithResolvers<ClientReport> | null = null;
  const child = Bun.spawn([process.execPath, path.join(import.meta.dir, "page-client.ts")], {
    ipc: (message) => waiting?.resolve(v.parse(clientReport, message)),
    onExit: () => waiting?.reject(new Error("the client ended")),
    stderr: "inherit",
  });
  endWithThis(child);
  return {
    run: (round) => {
      waiting = Promise.withResolvers<ClientReport>();
      child.send(round);
      return waiting.promise;
    },
    stop: async () => {
      waiting = null;
      child.kill();
      await child.exited;
    },
  };
}
