import path from "node:path";
import { startWatchdog } from "#db/embedded/server.ts";

/** A process of a bench. It does one thing after the other. */
export type Helper = {
  pid: number;
  /** Sends what it answers. @returns its next message. */
  ask: (message: object) => Promise<unknown>;
  /** Sends what it does not answer. */
  tell: (message: object) => void;
  /** Its next message, also one that has come already. */
  next: () => Promise<unknown>;
  stop: () => Promise<void>;
};

/**
 * Starts a program of the benches in a process of its own, so that neither its work nor its memory disturbs what is measured.
 * @param file in this folder.
 */
export function startHelper(
  file: string,
  { words = [], variables }: { words?: readonly string[]; variables?: Record<string, string> } = {},
): Helper {
  const unread: unknown[] = [];
  let waiting: PromiseWithResolvers<unknown> | null = null;
  const child = Bun.spawn([process.execPath, path.join(import.meta.dir, file), ...words], {
    ...(variables !== undefined && { env: variables }),
    stderr: "inherit",
    ipc: (message) => {
      if (waiting === null) unread.push(message);
      else waiting.resolve(message);
      waiting = null;
    },
    onExit: () => waiting?.reject(new Error(`${file} ended`)),
  });
  endWithThis(child);
  const next = () => {
    if (unread.length > 0) return Promise.resolve(unread.shift());
    waiting = Promise.withResolvers();
    return waiting.promise;
  };
  return {
    pid: child.pid,
    ask: (message) => {
      child.send(message);
      return next();
    },
    tell: (message) => child.send(message),
    next,
    stop: async () => {
      waiting?.promise.catch(() => undefined);
      child.kill();
      await child.exited;
    },
  };
}

/** Ends a child with this process at the latest, also after an error in a bench. */
export function endWithThis(child: { pid: number; exited: Promise<number> }): void {
  const watchdog = startWatchdog(["kill", "-s", "TERM", String(child.pid)]);
  void child.exited.finally(() => watchdog.release());
}

/**
 * Measures the sides of a comparison in turn, round after round, so that a moment in which the machine is slow meets all of them.
 * @param options warmUps: so many rounds come first and are not kept. goesOn: asked before each round.
 * @returns the kept rounds of each side.
 */
export async function interleave<Round>(
  sides: readonly (() => Promise<Round>)[],
  { rounds, warmUps = 0, goesOn }: { rounds: number; warmUps?: number; goesOn?: () => Promise<boolean> },
): Promise<Round[][]> {
  const kept = sides.map((): Round[] => []);
  for (let round = -warmUps; round < rounds && (goesOn === undefined || (await goesOn())); round += 1) {
    for (const [index, measure] of sides.entries()) {
      const measured = await measure();
      if (round >= 0) kept[index]?.push(measured);
    }
  }
  return kept;
}
