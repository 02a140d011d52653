import path from "node:path";
import * as v from "valibot";
import type { BareSettings } from "./bare-pages.tsx";
import type { BenchDeps } from "./bench-deps.ts";
import { endWithThis, variablesOf } from "./start-web.ts";

export type Bare = { origin: string; pid: number; stop: () => Promise<void> };

/** Starts the bare server in a process of its own, in production mode, and waits until it has loaded all contents. */
export async function startBare(deps: BenchDeps, settings: BareSettings): Promise<Bare> {
  const port = Promise.withResolvers<number>();
  const child = Bun.spawn([process.execPath, path.join(import.meta.dir, "bare-pages.tsx")], {
    env: variablesOf(deps),
    stderr: "inherit",
    ipc: (message) => port.resolve(v.parse(v.object({ port: v.number() }), message).port),
    onExit: () => port.reject(new Error("the bare server ended")),
  });
  endWithThis(child);
  child.send(settings);
  return {
    origin: `http://127.0.0.1:${await port.promise}`,
    pid: child.pid,
    stop: async () => {
      child.kill();
      await child.exited;
    },
  };
}
