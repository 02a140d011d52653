import type { Logger } from "pino";
import type { Server } from "#db/embedded/server.ts";

const BACKOFF_FIRST_MS = 100;
const BACKOFF_MAX_MS = 5_000;
/** A process that ran for this long counts as healthy: after its next crash the backoff starts at the minimum again. */
const HEALTHY_AFTER_MS = 30_000;

/** A process that is restarted whenever it ends, until `stop`. */
export type Supervised = {
  name: string;
  stop: () => Promise<void>;
  /** Kills the process and starts it again at once, with the changed files. */
  restart: () => void;
  /**
   * Starts another process, and ends this one once that is ready.
   * @param signal ends this one.
   * @throws if the other one does not become ready. Then this one keeps running.
   */
  replace: (signal: NodeJS.Signals) => Promise<void>;
};

type Watched = {
  name: string;
  start: () => Promise<Server>;
  server: Server;
  isStopping: () => boolean;
  restartRequested: boolean;
  /** Ends when no process is being started. One starts at a time. */
  starting: Promise<void>;
};

/**
 * Starts a process and restarts it after a crash, with a growing delay.
 * @param start called for the first start and for every later one.
 * @throws if the first start fails. Later starts that fail are tried again.
 */
export async function keepRunning(
  name: string,
  start: () => Promise<Server>,
  log: Logger,
): Promise<Supervised> {
  let stopping = false;
  const watched: Watched = {
    name,
    start,
    server: await start(),
    isStopping: () => stopping,
    restartRequested: false,
    starting: Promise.resolve(),
  };
  const stopRequested = Promise.withResolvers<void>();
  const watching = watch(watched, stopRequested.promise, log);
  return {
    name,
    restart: () => {
      watched.restartRequested = true;
      watched.server.kill();
    },
    replace: (signal) => inTurn(watched, () => replace(watched, signal)),
    stop: async () => {
      stopping = true;
      stopRequested.resolve();
      await watched.server.stop();
      await watched.starting;
      await watching;
    },
  };
}

async function watch(watched: Watched, stopRequested: Promise<void>, log: Logger): Promise<void> {
  let backoffMs = BACKOFF_FIRST_MS;
  while (!watched.isStopping()) {
    const startedAt = performance.now();
    const { server } = watched;
    const code = await server.exited;
    if (watched.isStopping()) return;
    if (watched.server !== server) continue;
    if (performance.now() - startedAt > HEALTHY_AFTER_MS) backoffMs = BACKOFF_FIRST_MS;
    if (!watched.restartRequested) {
      log.warn({ code }, `${watched.name} ended unexpectedly; restarting it in ${backoffMs} ms`);
      await Promise.race([Bun.sleep(backoffMs), stopRequested]);
      backoffMs = Math.min(backoffMs * 2, BACKOFF_MAX_MS);
    }
    watched.restartRequested = false;
    await inTurn(watched, async () => {
      // It may have been replaced meanwhile.
      if (watched.server === server) await restart(watched, log);
    });
  }
}

/** Work that starts a process, after such work that has begun before. */
async function inTurn(watched: Watched, work: () => Promise<void>): Promise<void> {
  const done = watched.starting.then(work);
  watched.starting = done.catch(() => undefined);
  await done;
}

async function replace(watched: Watched, signal: NodeJS.Signals): Promise<void> {
  if (watched.isStopping()) return;
  const next = await watched.start();
  const former = watched.server;
  watched.server = next;
  await former.stop(signal);
  // `stop` was called meanwhile, for the former one.
  if (watched.isStopping()) await next.stop();
}

/** If the start fails, `server` stays the ended process, so that the loop tries again after a longer delay. */
async function restart(watched: Watched, log: Logger): Promise<void> {
  if (watched.isStopping()) return;
  try {
    watched.server = await watched.start();
    // `stop` was called during the start.
    if (watched.isStopping()) await watched.server.stop();
  } catch (err) {
    log.error({ err }, `${watched.name} could not be restarted`);
  }
}
