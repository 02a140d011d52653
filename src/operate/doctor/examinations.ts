import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { findOtherInstallation, readInstallation, TAKEN_CURE, takenBy } from "#src/base/claim-redis.ts";
import { isDiskFull, storedFolders } from "#src/base/disk-space.ts";
import { tryRights } from "#src/base/redis-rights.ts";
import { describeRedisTrouble } from "#src/base/redis-trouble.ts";
import { pingRedis, readInfo, type RedisClient } from "#src/base/redis.ts";
import { tryMailServer } from "#src/mail/send-letter.ts";
import { providerOf } from "#src/money/payments/provider-of.ts";
import { newBlobKey } from "#src/people/storage/announce-upload.ts";
import { parseRedisUrl } from "#src/settings/redis-address.ts";
import { databaseExaminations } from "./database-examinations.ts";
import type { Examination, Finding } from "./examination.ts";
import { examineAddress } from "./examine-address.ts";

const REDIS_MIN = 7;
const ANSWERS = "Redis: answers";
const well = (said: string): Finding => ({ well: true, said });

const redisExaminations: readonly Examination[] = [
  {
    what: ANSWERS,
    how: "PING",
    otherwise: "away",
    watched: true,
    examine: async ({ env, redis }) => {
      let last: Error | null = null;
      const note = (error: Error) => (last = error);
      redis.on("error", note);
      const answered = await untilAnswered(redis);
      redis.off("error", note);
      if (answered) return well("yes");
      return { well: false, said: describeRedisTrouble(env.redisUrl, last), cure: "" };
    },
  },
  {
    what: "Redis: rights",
    how: "each command, script and channel that is used",
    otherwise: "degraded",
    after: ANSWERS,
    watched: true,
    examine: async ({ env: { redisUrl: url }, redis }) => {
      await tryRights(redis, { url, user: parseRedisUrl(url)?.username ?? "default" });
      return well("all");
    },
  },
  {
    what: "Redis: owner",
    how: "which installation it belongs to",
    otherwise: "refused",
    after: ANSWERS,
    examine: async ({ env, pool, redis }) => {
      const other = env.embedded.redis
        ? null
        : await findOtherInstallation(redis, await readInstallation(pool.db));
      return other === null ? well("this one") : { well: false, said: takenBy(other), cure: TAKEN_CURE };
    },
  },
  {
    what: "Redis: version",
    how: "INFO server",
    otherwise: "degraded",
    after: ANSWERS,
    examine: async ({ redis }) => {
      const version = await readInfo(redis, "server", "redis_version");
      if (version === null) return well("it does not say");
      if (Number.parseInt(version, 10) >= REDIS_MIN) return well(version);
      return {
        well: false,
        said: `Redis is ${version}.`,
        cure: `Called It needs Redis ${REDIS_MIN} or newer: upgrade it.`,
      };
    },
  },
  {
    what: "Redis: eviction",
    how: "INFO memory, maxmemory_policy",
    otherwise: "advice",
    after: ANSWERS,
    standing: true,
    examine: async ({ redis }) => {
      const policy = await readInfo(redis, "memory", "maxmemory_policy");
      if (policy === null || policy === "noeviction") return well(policy ?? "it does not say");
      return {
        well: false,
        said: `When its memory is full, Redis drops jobs and messages (maxmemory-policy ${policy}).`,
        cure: "Set maxmemory-policy noeviction in its configuration.",
      };
    },
  },
];

const POLL_MS = 20;
const TRIED_FOR_MS = 2_500;

async function untilAnswered(redis: RedisClient): Promise<boolean> {
  const endsMs = performance.now() + TRIED_FOR_MS;
  for (;;) {
    const answered = await pingRedis(redis).then(
      () => true,
      () => false,
    );
    if (answered || performance.now() > endsMs) return answered;
    await Bun.sleep(POLL_MS);
  }
}

const others: readonly Examination[] = [
  {
    what: "Mail",
    how: "a sign-in to the server of SMTP_URL",
    otherwise: "degraded",
    examine: async ({ env }) => {
      if (env.smtpUrl !== null) return well(await tryMailServer(env.smtpUrl));
      if (!env.production) return well("none: mails are shown at /dev/mail");
      return {
        well: false,
        said: "SMTP_URL is not set: no mail is sent, so nobody can confirm an address or get a new password.",
        cure: "Set it to the address of a mail server.",
      };
    },
  },
  {
    what: "Storage",
    how: "a small file is written, read and removed",
    otherwise: "degraded",
    examine: async ({ store }) => {
      const key = newBlobKey();
      await store.put(key, new TextEncoder().encode("tried"), "text/plain");
      const read = await store.get(key);
      await store.remove(key);
      if (read !== null) return well("yes");
      return {
        well: false,
        said: "What was stored could not be read.",
        cure: "Look at the storage behind STORAGE.",
      };
    },
  },
  {
    what: "Payments",
    how: "a request to Stripe with STRIPE_SECRET_KEY",
    otherwise: "degraded",
    examine: async ({ env }) => {
      const { provider } = env.payments;
      if (provider === "stripe") await providerOf(env).examine();
      return well(provider);
    },
  },
  {
    what: "Traces",
    how: "an empty message to OTEL_EXPORTER_OTLP_ENDPOINT",
    otherwise: "advice",
    examine: async ({ collector }) => {
      await collector?.examine();
      return well(collector === undefined ? "none" : "taken");
    },
  },
  {
    what: "Data folder",
    how: "a file is written into DATA_DIR",
    otherwise: "degraded",
    examine: async ({ env: { dataDir } }) => {
      const file = path.join(dataDir, `.tried-${randomUUID()}`);
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      await writeFile(file, "");
      await rm(file);
      return well(dataDir);
    },
  },
  {
    what: "Disk",
    how: "free room where the data is",
    otherwise: "degraded",
    examine: async ({ env }) => {
      if (!(await isDiskFull(storedFolders(env)))) return well("more than 64 MB are free");
      return { well: false, said: "Less than 64 MB are free.", cure: "Make room where DATA_DIR is." };
    },
  },
  {
    what: "Address",
    how: "/up at PUBLIC_URL, in production",
    otherwise: "advice",
    examine: async ({ env }) => (env.production ? examineAddress(env) : well("not tried")),
  },
  {
    what: "Proxies",
    how: "TRUSTED_PROXIES beside PUBLIC_URL",
    otherwise: "advice",
    examine: ({ env: { production, publicUrl, trustedProxies } }) => {
      if (!production || !publicUrl.startsWith("https:") || trustedProxies.length > 0)
        return Promise.resolve(well(trustedProxies.join(", ") || "none"));
      return Promise.resolve({
        well: false,
        said: "No proxy is trusted, and https comes from one: all players behind it count as one address.",
        cure: "Name its address in TRUSTED_PROXIES.",
      });
    },
  },
];

/** All that the product needs, in the order of the table. */
export const examinations: readonly Examination[] = [
  ...databaseExaminations,
  ...redisExaminations,
  ...others,
];

/** Those that /ready repeats, and what they need first. */
export const standingExaminations = examinations.filter(
  ({ what, standing }) => standing === true || isFirst(what),
);

/** True for one that says by itself what should be otherwise. */
export function isStanding(named: string): boolean {
  return examinations.some(({ what, standing }) => what === named && standing === true);
}

function isFirst(what: string): boolean {
  return examinations.some((one) => one.after === what && (one.standing === true || isFirst(one.what)));
}
