import path from "node:path";
import * as v from "valibot";
import { endWithThis } from "../start-web.ts";
import { type ShowCommand, type ShowReport, showReport } from "./contract.ts";

/** A process of players. It does one thing after the other. */
export type PlayersProcess = {
  pid: number;
  tell: (command: Exclude<ShowCommand, { command: "leave" }>) => Promise<void>;
  /** The players leave. @returns what they noted. */
  leave: () => Promise<ShowReport>;
  stop: () => void;
};

export function startPlayers(): PlayersProcess {
  let answered = Promise.withResolvers<unknown>();
  const child = Bun.spawn([process.execPath, path.join(import.meta.dir, "players.ts")], {
    ipc: (message) => answered.resolve(message),
    onExit: () => answered.reject(new Error("the players ended")),
    stderr: "inherit",
  });
  endWithThis(child);
  const ask = (command: ShowCommand) => {
    answered = Promise.withResolvers();
    child.send(command);
    return answered.promise;
  };
  return {
    pid: child.pid,
    tell: async (command) => void (await ask(command)),
    leave: async () => v.parse(showReport, await ask({ command: "leave" })),
    stop: () => {
      answered.promise.catch(() => undefined);
      child.kill();
    },
  };
}
