// Decision: what a process has seen of a server that is not its own is remembered. So operators read what does not work, and nobody asks
// that server for it each time. What answers late is told while it is waited for.

/** An answer that comes later is slow: who waits for it notices. */
const SLOW_AFTER_MS = 1_500;
/** What has failed, and was not tried again, says nothing after this time. */
const REMEMBERED_MS = 10 * 60_000;

/** A server answers, and takes long for it. */
export class SlowService extends Error {
  override readonly name = "SlowService";
}

/** A server that the product asks, as operators look at it. */
export type Service = {
  /** Asks it whether it works, and changes nothing there. Rejects with what is wrong. */
  check: () => Promise<void>;
  /** What does not work, as far as this process knows: SlowService, or the error; null: nothing. It waits for nothing. */
  trouble: () => Error | null;
};

export type ServiceWatch = Pick<Service, "trouble"> & {
  /** Works with the server and remembers how it went. @param what of it. `judge` says what is wrong with an answer. `again` asks the same once more. */
  observe: <Result>(
    what: string,
    work: () => Promise<Result>,
    how?: { judge?: (result: Result) => Error | null; again?: () => Promise<unknown> },
  ) => Promise<Result>;
  /** True if this was tried last without success. */
  hasFailed: (what: string) => boolean;
  /** Asks once more what was asked without success. @returns false if there is nothing to ask. */
  askAgain: () => boolean;
};

/** @returns what remembers how a server answers this process. @param slowAfterMs as tests need it. */
export function watchService(slowAfterMs = SLOW_AFTER_MS): ServiceWatch {
  const troubles = new Map<string, { error: Error; atMs: number; again: (() => void) | undefined }>();
  // Slow is the server, and not one thing that is done there.
  const works = (what: string) => {
    for (const [name, { error }] of troubles)
      if (name === what || error instanceof SlowService) troubles.delete(name);
  };
  const asked = new Set<string>();
  // A server that is slow is not asked the same a second time meanwhile.
  const askOnce = (what: string, ask: () => Promise<unknown>) => {
    if (asked.has(what)) return;
    asked.add(what);
    void ask()
      .catch(() => undefined)
      .finally(() => asked.delete(what));
  };
  const observe: ServiceWatch["observe"] = async (what, work, { judge = () => null, again } = {}) => {
    const note = (error: Error) =>
      troubles.set(what, {
        error,
        atMs: performance.now(),
        again: again && (() => askOnce(what, () => observe(what, again, { again }))),
      });
    const startedMs = performance.now();
    const timer = setTimeout(() => note(slow("has not answered for", slowAfterMs)), slowAfterMs);
    timer.unref();
    try {
      const result = await work();
      const tookMs = performance.now() - startedMs;
      const wrong = judge(result) ?? (tookMs < slowAfterMs ? null : slow("has taken", tookMs));
      if (wrong === null) works(what);
      else note(wrong);
      return result;
    } catch (caught) {
      note(caught instanceof Error ? caught : new Error(String(caught)));
      throw caught;
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    observe,
    hasFailed: (what) => troubles.has(what),
    askAgain: () => {
      const questions = [...troubles.values()].flatMap(({ again }) => again ?? []);
      for (const ask of questions) ask();
      return questions.length > 0;
    },
    trouble: () => {
      const nowMs = performance.now();
      const known = [...troubles.values()].filter(({ atMs }) => nowMs - atMs < REMEMBERED_MS);
      return known.toSorted((one, other) => other.atMs - one.atMs)[0]?.error ?? null;
    },
  };
}

/** What a watch knows, tried again while somebody wants to know: what has failed itself, where that may be done, else something else. */
export function keepTrying(
  watch: ServiceWatch,
  attempt: () => unknown,
  everyMs: { well: number; wrong: number },
): Service["trouble"] {
  let triedAtMs = -Infinity;
  return () => {
    const wrong = watch.trouble();
    const nowMs = performance.now();
    if (nowMs - triedAtMs > everyMs[wrong === null ? "well" : "wrong"]) {
      triedAtMs = nowMs;
      if (!watch.askAgain()) attempt();
    }
    return wrong;
  };
}

const slow = (verb: string, ms: number) => new SlowService(`It ${verb} ${(ms / 1_000).toFixed(1)} s.`);
