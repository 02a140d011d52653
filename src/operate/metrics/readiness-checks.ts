import type { DatabasePool } from "#db/client.ts";
import { followDatabaseState } from "#db/migrate.ts";
import { isDatabaseAway } from "#db/pool/database-errors.ts";
import { followMissingRights } from "#db/roles/missing-rights.ts";
import { explainError } from "#src/base/describe-error.ts";
import { isDiskFull, storedFolders } from "#src/base/disk-space.ts";
import { pingRedis } from "#src/base/redis.ts";
import { SlowService } from "#src/base/service-watch.ts";
import { shareReads } from "#src/base/share-reads.ts";
import { WEBHOOKS_PATH } from "#src/money/payments/contract.ts";
import { providerOf } from "#src/money/payments/provider-of.ts";
import { NotHeard } from "#src/money/payments/provider.ts";
import { nameRights } from "#src/operate/doctor/database-examinations.ts";
import { followAddress } from "#src/operate/doctor/follow-address.ts";
import { findWriteTrouble, WRITES_CURE } from "#src/operate/troubles/find-write-trouble.ts";
import { pushServices } from "#src/people/push/push-services.ts";
import type { Env } from "#src/settings/env.ts";
import type { ReadinessCheck } from "./readiness-check.ts";
import { workChecks } from "./work-checks.ts";

// Decision: /ready decides about traffic alone. A process is ready while it can answer pages and calls, and proxies may use it. All else
// that is wrong is degraded. One list says what is checked: /ready says it in its answer, /metrics in called_it_degraded, the log and
// the operators' home as soon as it goes and comes back (watch-parts.ts), and the alerts tell who sleeps.

const REDIS_REFUSES =
  "Redis answers, and does not do what is asked of it. Calls and pages work and are not live; mails and push messages wait. What to change " +
  "stands below.";
/** Below the time that a check has: then the cause can be said. */
const PING_WITHIN_MS = 900;

/** One statement shows whether the database answers, and whether it takes writes. */
const askWriteTrouble = shareReads<DatabasePool, null, string | null>(
  () => null,
  async (pool) => {
    const trouble = await findWriteTrouble(pool);
    return () => trouble;
  },
);

const notHeardCure = ({ publicUrl }: Pick<Env, "publicUrl">) =>
  "What players have paid is booked minutes late, when Stripe is asked, and refunds and disputes that begin at Stripe are not. Look at Stripe " +
  `under Developers, Webhooks: there must be an endpoint ${publicUrl}${WEBHOOKS_PATH}, whose signing secret is in ` +
  "STRIPE_WEBHOOK_SECRET; its log there shows what it was answered. A wrong clock of this machine refuses messages too.";

/** The state of a server that is not the product's own. @param wrong the state of one that does not do what it is asked. */
function stateOf(trouble: Error | null, wrong: string): ReturnType<ReadinessCheck["check"]> {
  if (trouble === null) return Promise.resolve("ok");
  const state = trouble instanceof SlowService ? "slow" : wrong;
  return Promise.resolve({ state, detail: explainError(trouble) });
}

const partChecks: readonly ReadinessCheck[] = [
  {
    part: "database",
    needed: true,
    shared: false,
    cure:
      "Players read that the game catches its breath, and nothing is lost. Start Postgres, see what slows it, or correct DATABASE_URL. The " +
      "processes reconnect by themselves.",
    silent: "away",
    check: async ({ pool }) => {
      await askWriteTrouble(pool, null);
      return "ok";
    },
  },
  {
    part: "migrations",
    needed: true,
    shared: false,
    cure: "Nothing can be served before it is. Run the migration: `bun run migrate`.",
    // The database is away, which is said by itself.
    silent: "unknown",
    follows: ["database"],
    check: async ({ pool }) => {
      try {
        const { pendingMigrations, sql } = await followDatabaseState(pool.db);
        // A newer release may have changed the database. This process keeps serving until it is replaced.
        return pendingMigrations.length === 0 && sql !== "pending" ? "ok" : "pending";
      } catch (error) {
        return isDatabaseAway(error) ? "unknown" : { state: "away", detail: explainError(error) };
      }
    },
  },
  {
    part: "writes",
    needed: false,
    shared: true,
    cure: WRITES_CURE,
    silent: "unknown",
    check: async ({ pool }) => {
      const trouble = await askWriteTrouble(pool, null);
      return trouble === null ? "ok" : { state: "refused", detail: trouble };
    },
  },
  {
    part: "rights",
    needed: false,
    shared: true,
    byOne: true,
    cure:
      "The role of DATABASE_URL lacks rights that it needs, and what needs them fails. Run `bun run migrate` with the owner's address in " +
      "MIGRATE_DATABASE_URL: it gives all of them.",
    silent: "unknown",
    check: async ({ pool }) => {
      const missing = await followMissingRights(pool.db);
      return missing.length === 0 ? "ok" : { state: "missing", detail: `It lacks ${nameRights(missing)}.` };
    },
  },
  {
    part: "redis",
    needed: false,
    shared: false,
    cure:
      "Pages work and are not live, timers are up to a second late, and mails and push messages wait. Start Redis, or correct " +
      "REDIS_URL.",
    silent: "away",
    // src/base/watch-redis.ts
    logged: true,
    check: async ({ redis, redisTrouble }) => {
      const trouble = redisTrouble?.() ?? null;
      try {
        await Promise.race([
          pingRedis(redis),
          Bun.sleep(PING_WITHIN_MS).then(() => Promise.reject(new Error("Silent"))),
        ]);
      } catch {
        return trouble === null ? "away" : { state: "away", detail: trouble };
      }
      // It answers, and lacks a right or takes no writes.
      return trouble === null ? "ok" : { state: "refuses", detail: trouble, cure: REDIS_REFUSES };
    },
  },
  {
    part: "broadcasts",
    needed: false,
    shared: false,
    cure:
      "Pages ask instead of hearing. Stuck: nothing could be broadcast for 3 s; the log says why, mostly Redis takes no writes, because " +
      "its memory (maxmemory) or its disk is full, or because it is a replica. Deaf: messages do not come back from Redis; it is away " +
      "or frozen, or the network between loses packets.",
    silent: "unknown",
    follows: ["database", "redis"],
    check: ({ isRelayStuck, isDeaf }) => {
      if (isRelayStuck?.() === true) return Promise.resolve("stuck");
      return Promise.resolve(isDeaf?.() === true ? "deaf" : "ok");
    },
  },
  {
    part: "cable",
    needed: false,
    shared: false,
    cure:
      "Pages are not live, and ask instead. The proxy before the processes must pass `Upgrade` and `Connection` on for /cable " +
      '(deploy/machines.md, "Behind a proxy"); nothing has to be restarted here.',
    silent: "unknown",
    check: ({ lostUpgrades }) => {
      const lost = lostUpgrades?.() ?? 0;
      const detail = `${lost} requests for /cable came without Upgrade, and none with it.`;
      return Promise.resolve(lost === 0 ? "ok" : { state: "refused", detail });
    },
  },
  {
    part: "certificate",
    needed: false,
    shared: true,
    byOne: true,
    cure:
      'Once it has ended, nobody can open the page. Renew it, put it into its place and reload the proxy (deploy/rotate.md, "The ' +
      'certificate"). If certbot renews it, see why it did not: `certbot renew`.',
    silent: "unknown",
    check: ({ env }) => Promise.resolve(followAddress(env).certificate),
  },
  {
    part: "address",
    needed: false,
    shared: true,
    byOne: true,
    cure:
      "This machine reached PUBLIC_URL before, and does not now: players may not either. See whether the proxy runs, where the name leads, " +
      "and whether the certificate is good.",
    silent: "unknown",
    follows: ["certificate"],
    check: ({ env }) => Promise.resolve(followAddress(env).address),
  },
  {
    part: "disk",
    needed: false,
    shared: false,
    cure: "Less than 64 MB are free where DATA_DIR is, so that writing is about to fail. Make room.",
    silent: "ok",
    check: async ({ env }) => ((await isDiskFull(storedFolders(env))) ? "full" : "ok"),
  },
  {
    part: "storage",
    needed: false,
    shared: false,
    cure:
      "The storage refuses what it is asked, so pictures are answered with 503, or discarded ones stay; or it is slow, and they come late. " +
      "Correct the storage, or STORAGE.",
    silent: "unknown",
    check: ({ store }) => stateOf(store.trouble(), "refuses"),
  },
  {
    part: "payments",
    needed: false,
    shared: false,
    cure:
      "Nobody can pay in, and refunds wait; the game and what was paid go on. Correct STRIPE_SECRET_KEY, or see whether Stripe works and this " +
      "machine reaches it. Refunds are sent again by themselves.",
    silent: "unknown",
    check: ({ env }) => {
      const trouble = env.payments.provider === "none" ? null : providerOf(env).trouble();
      if (!(trouble instanceof NotHeard)) return stateOf(trouble, "refused");
      return Promise.resolve({ state: "unheard", detail: trouble.message, cure: notHeardCure(env) });
    },
  },
  {
    part: "replica",
    needed: false,
    shared: false,
    cure:
      "The replica of DATABASE_REPLICA_URL is away or more than 2 s behind, so the primary answers its reads too. Check its server and " +
      "the replication.",
    silent: "unknown",
    check: ({ replica }) => Promise.resolve(replica?.pool() === null ? "late" : "ok"),
  },
  {
    part: "traces",
    needed: false,
    shared: false,
    cure: "The game goes on, and traces are lost or late. Start the collector, or correct OTEL_EXPORTER_OTLP_ENDPOINT, or leave it out.",
    silent: "unknown",
    check: ({ collector }) => stateOf(collector?.trouble() ?? null, "lost"),
  },
  {
    part: "pushes",
    needed: false,
    shared: false,
    cure:
      "A push service does not take messages. They are tried again until they are too old, and are sent as soon as it answers. If all " +
      "services are away, see whether this machine reaches the internet.",
    silent: "unknown",
    check: () => {
      const trouble = pushServices.trouble();
      return Promise.resolve(trouble === null ? "ok" : { state: "waiting", detail: trouble });
    },
  },
];

/** All that is checked, causes before what follows from them. A new part needs its entry here or in work-checks.ts, and nothing else. */
export const readinessChecks: readonly ReadinessCheck[] = [...partChecks, ...workChecks];
