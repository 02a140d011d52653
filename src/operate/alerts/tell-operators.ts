import type { Deps } from "#src/base/deps.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { adminChecks } from "#src/operate/checks/checks.ts";
import {
  listPastTroubles,
  listTroubles,
  ownProcess,
  type Trouble,
} from "#src/operate/checks/noted-checks.ts";
import { type Look, takeTurn } from "#src/operate/checks/watch-checks.ts";
import { inTime } from "#src/operate/work/queues.ts";
import { isWebAddress } from "#src/settings/value-schemas.ts";
import { type Alert, sendToAll } from "./send-alert.ts";
import { type Fault, ToldFaults } from "./told-faults.ts";
import { alertWriter } from "./write-alert.ts";

// Decision: the product itself tells operators what is wrong, by ALERTS_TO, so that a machine without Prometheus wakes somebody too. A fault
// is a part, however many processes suffer from it: it is told once it has lasted for some seconds, and its end once it has been over for a
// minute. What follows from another fault is named in that one's message. One process tells for all; one that does not reach the database
// tells for itself. Nothing that is told waits for the queue or the database.

/** Parts without which players wait or lose: worth waking somebody. */
const pages = new Set(
  "writes redis cable address processes worker starts transactions timers settlements feed books".split(" "),
);
const checkOf = new Map(adminChecks.map((check) => [check.part, check]));
const severities = ["page", "warn"] as const;
type Severity = (typeof severities)[number];

/** Whether a part that is wrong wakes somebody, as alerts.yml says it too. */
export const severityOf = (part: string): Severity =>
  checkOf.get(part)?.severity === "away" || pages.has(part) ? "page" : "warn";

/** So long something must be wrong before it is told: a restart wakes nobody. */
const LASTS_MS: Readonly<Record<Severity, number>> = { page: 30_000, warn: 120_000 };
/** So long it must be over: what comes and goes is one fault. */
const OVER_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Of each severity, so that warnings keep back no page. */
const HOURLY_MAX = 10;
/** When it says that it is alive, without ALERTS_QUIET. */
const ALIVE_AT = "09:00";
const PAST_MAX = 500;
const TURN_KEY = "alerts:turn";
/** The key of Redis that keeps it from being said again. */
export const ALIVE_KEY = "alerts:alive";
const ALIVE_KEPT_S = 72_000;

type TellDeps = Pick<Deps, "env" | "pool" | "redis" | "log">;

/** Tells operators what begins and ends to be wrong. */
export class Alerts {
  readonly #deps: TellDeps;
  readonly #told: ToldFaults;
  readonly #write: ReturnType<typeof alertWriter>;
  readonly #clock: Intl.DateTimeFormat;
  /** Since when a fault that was told is not seen any more. */
  readonly #overSinceMs = new Map<string, number>();
  readonly #sentAtMs: Record<Severity, number[]> = { page: [], warn: [] };
  readonly #withheld: Record<Severity, string[]> = { page: [], warn: [] };

  constructor(deps: TellDeps) {
    this.#deps = deps;
    this.#told = new ToldFaults(deps);
    this.#write = alertWriter(deps.env);
    const timeZone = deps.env.alertsQuiet?.zone ?? "UTC";
    this.#clock = new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "short" });
  }

  /** Takes what this process sees now. @param at the time of the look. */
  async take({ wrong, isNoted }: Look, at = serverNow()): Promise<void> {
    const { env, pool, log } = this.#deps;
    // One that cannot send to all leaves it to another.
    const canSend = env.alertsTo.every((address) => isWebAddress(address) || env.smtpUrl !== null);
    if (env.alertsTo.length === 0 || !canSend) return;
    await this.#told.share();
    if (isNoted && !(await takeTurn(this.#deps, ownProcess(log), TURN_KEY))) return;
    const noted = isNoted ? await inTime(listTroubles(pool.db)) : null;
    await this.#tellChanges(noted ?? wrong, { isNoted: noted !== null, at });
    this.#tellWithheld(at);
    if (noted !== null) await this.#tellAlive(noted, at);
  }

  async #tellChanges(
    open: readonly Trouble[],
    { isNoted, at }: { isNoted: boolean; at: Date },
  ): Promise<void> {
    const faults = Map.groupBy(open, ({ part }) => part);
    const told = await this.#told.list(isNoted);
    for (const [part, fault] of told) {
      if (!isNoted || faults.has(part)) this.#overSinceMs.delete(part);
      if (faults.has(part)) await this.#told.see(part, { ...fault, seenAtMs: at.getTime() });
      // Without the database nothing is known of some parts.
      else if (isNoted) await this.#tellEnd(part, fault, at);
    }
    for (const [part, troubles] of faults) {
      if (told.has(part) || followsOne(part, [...faults.keys(), ...told.keys()])) continue;
      const effects = [...faults].filter(([other]) => followsOne(other, [part])).flatMap(([, all]) => all);
      await this.#tellBegin(troubles, { effects, isNoted, at });
    }
  }

  async #tellBegin(
    troubles: readonly Trouble[],
    { effects, isNoted, at }: { effects: readonly Trouble[]; isNoted: boolean; at: Date },
  ): Promise<void> {
    const { part = "", what = "" } = troubles[0] ?? {};
    const sinceMs = Math.min(...troubles.map(({ since }) => since.getTime()));
    if (at.getTime() - sinceMs < LASTS_MS[severityOf(part)] || this.#waits(part, at)) return;
    if (!(await this.#told.begin(part, { what, sinceMs, seenAtMs: at.getTime() }, isNoted))) return;
    this.#tell(severityOf(part), this.#write.began(troubles, effects), at);
  }

  async #tellEnd(part: string, fault: Fault, at: Date): Promise<void> {
    const sinceMs = this.#overSinceMs.get(part) ?? at.getTime();
    this.#overSinceMs.set(part, sinceMs);
    if (at.getTime() - Math.max(sinceMs, fault.seenAtMs) < OVER_MS || this.#waits(part, at)) return;
    this.#overSinceMs.delete(part);
    if (await this.#told.end(part)) this.#tell(severityOf(part), this.#write.ended(fault), at);
  }

  /** What only warns waits for the end of ALERTS_QUIET. */
  #waits(part: string, at: Date): boolean {
    const quiet = this.#deps.env.alertsQuiet;
    if (quiet === null || severityOf(part) === "page") return false;
    const [isAfter, isBefore] = [this.#clock.format(at) >= quiet.from, this.#clock.format(at) < quiet.until];
    return quiet.from < quiet.until ? isAfter && isBefore : isAfter || isBefore;
  }

  #tell(severity: Severity, alert: Alert, at: Date): void {
    if (!this.#hasRoom(severity, at)) return void this.#withheld[severity].push(alert.subject);
    this.#sentAtMs[severity].push(at.getTime());
    sendToAll(this.#deps, alert);
  }

  #hasRoom(severity: Severity, at: Date): boolean {
    const lately = this.#sentAtMs[severity].filter((ms) => at.getTime() - ms < HOUR_MS);
    this.#sentAtMs[severity] = lately;
    return lately.length < HOURLY_MAX;
  }

  #tellWithheld(at: Date): void {
    for (const severity of severities) {
      const subjects = this.#withheld[severity];
      if (subjects.length === 0 || !this.#hasRoom(severity, at)) continue;
      this.#withheld[severity] = [];
      this.#tell(severity, this.#write.withheld(subjects), at);
    }
  }

  /** Once a day, in the hour in which ALERTS_QUIET ends: who does not hear it knows that nobody would be told. */
  async #tellAlive(now: readonly Trouble[], at: Date): Promise<void> {
    const { redis, pool, env } = this.#deps;
    const [time, alive] = [this.#clock.format(at), env.alertsQuiet?.until ?? ALIVE_AT];
    if (time < alive || time.slice(0, 2) !== alive.slice(0, 2)) return;
    if ((await inTime(redis.set(ALIVE_KEY, time, "EX", ALIVE_KEPT_S, "NX"))) === null) return;
    const past = await listPastTroubles(pool.db, PAST_MAX);
    const lately = past.filter(({ endedAt }) => at.getTime() - Number(endedAt) < DAY_MS);
    sendToAll(this.#deps, this.#write.alive(now, lately));
  }
}

/** Whether what is wrong with a part may follow from one of these that is as bad. */
function followsOne(part: string, causes: readonly string[]): boolean {
  const follows: readonly string[] = checkOf.get(part)?.follows ?? [];
  const isAsBad = (cause: string) => severityOf(cause) === "page" || severityOf(part) === "warn";
  return causes.some((cause) => cause !== part && follows.includes(cause) && isAsBad(cause));
}
