import type { Logger } from "pino";
import type { Server } from "#db/embedded/server.ts";

const PAUSE_FIRST_MS = 100;
const PAUSE_MAX_MS = 5_000;
/** Whoever ran this long is taken to be well: the next crash starts with the shortest pause again. */
const WELL_AFTER_MS = 30_000;

/** Something that is started again whenever it ends, until `stop`. */
export type Kept = {
  name: string;
  stop: () => Promise<void>;
  /** Ends it at once, so that it starts anew with what has changed. */
  restart: () => void;
};

type Watched = {
  name: string;
  start: () => Promise<Server>;
  server: Server;
  isStopping: () => boolean;
  restartAsked: boolean;
};

/**
 * Starts a process and keeps it running: a crash is answered by a new start after a pause that grows.
 * @param start called for the first start and for every later one.
 * @throws if the first start fails; later ones are tried again.
 */
export async function keepRunning(name: string, start: () => Promise<Server>, log: Logger): Promise<Kept> {
  let stopping = false;
  const watched = { name, start, server: await start(), isStopping: () => stopping, restartAsked: false };
  const stopAsked = Promise.withResolvers<void>();
  const watching = watch(watched, stopAsked.promise, log);
  return {
    name,
    restart: () => {
      watched.restartAsked = true;
      watched.server.kill();
    },
    stop: async () => {
      stopping = true;
      stopAsked.resolve();
      await watched.server.stop();
      await watching;
    },
  };
}

async function watch(watched: Watched, stopAsked: Promise<void>, log: Logger): Promise<void> {
  let pauseMs = PAUSE_FIRST_MS;
  while (!watched.isStopping()) {
    const startedAt = performance.now();
    const code = await watched.server.exited;
    if (watched.isStopping()) return;
    if (performance.now() - startedAt > WELL_AFTER_MS) pauseMs = PAUSE_FIRST_MS;
    if (!watched.restartAsked) {
      log.warn({ code }, `${watched.name} ended by itself; starting it again in ${pauseMs} ms`);
      await Promise.race([Bun.sleep(pauseMs), stopAsked]);
      pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS);
    }
    watched.restartAsked = false;
    await startAgain(watched, log);
  }
}

/** A start that fails leaves the ended process in its place: the loop comes back here after a longer pause. */
async function startAgain(watched: Watched, log: Logger): Promise<void> {
  if (watched.isStopping()) return;
  try {
    watched.server = await watched.start();
    // It was asked to stop while it was starting.
    if (watched.isStopping()) await watched.server.stop();
  } catch (err) {
    log.error({ err }, `${watched.name} could not be started again`);
  }
}
