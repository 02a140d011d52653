import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { findOtherInstallation, readInstallation, TAKEN_CURE, takenBy } from "#src/base/claim-redis.ts";
import type { Deps } from "#src/base/deps.ts";
import { explainError } from "#src/base/describe-error.ts";
import { pingRedis, readInfo, type RedisClient } from "#src/base/redis.ts";
import { SlowService } from "#src/base/service-watch.ts";
import { describeRedisTrouble, tryRights } from "#src/base/watch-redis.ts";
import { requestOutside } from "#src/http/outside/request-outside.ts";
import { tryMailServer } from "#src/mail/send-letter.ts";
import { WEBHOOKS_PATH } from "#src/money/payments/contract.ts";
import { providerOf } from "#src/money/payments/provider-of.ts";
import { NotHeard } from "#src/money/payments/provider.ts";
import { inTime } from "#src/operate/work/queues.ts";
import { tryProvider } from "#src/people/oidc/try-provider.ts";
import { newBlobKey } from "#src/people/storage/announce-upload.ts";
import { type Env, ownVariables } from "#src/settings/env.ts";
import { parseRedisUrl } from "#src/settings/redis-address.ts";
import { findMisspelled } from "#src/settings/unknown-names.ts";
import { isWebAddress } from "#src/settings/value-schemas.ts";
import { type AtStart, atStart, type Finding, watched, well } from "./check.ts";
import { ofDatabase } from "./database-checks.ts";
import { findAddress, followOutside, type Outside, outsideParts } from "./look-outside.ts";

const REDIS_MIN = 7;
const REDIS_ANSWERS = "Redis: answers";
const POLL_MS = 20;
const STRIPE_RULES =
  "its rules forbid games of chance and paid prizes, so deposits may buy play and never be paid out as winnings (deploy/payments.md)";
const TRIED_FOR_MS = 2_500;
/** Below the time that a check has: then the cause can be said. */
const PING_WITHIN_MS = 900;

async function untilAnswered(redis: RedisClient): Promise<boolean> {
  const endsMs = performance.now() + TRIED_FOR_MS;
  while ((await pingRedis(redis).catch(() => "silent")) === "silent") {
    if (performance.now() > endsMs) return false;
    await Bun.sleep(POLL_MS);
  }
  return true;
}

/** What the start tries, beside Postgres: Redis, other servers, the machine. */
export const serverChecks = atStart<AtStart>([
  {
    part: REDIS_ANSWERS,
    how: "PING",
    severity: "away",
    find: async ({ env, redis }) => {
      let last: Error | null = null;
      const note = (error: Error) => (last = error);
      redis.on("error", note);
      const answered = await untilAnswered(redis);
      redis.off("error", note);
      if (answered) return well("yes");
      return { state: "away", said: describeRedisTrouble(env.redisUrl, last) };
    },
  },
  {
    part: "Redis: rights",
    how: "each command, script and channel that is used",
    after: REDIS_ANSWERS,
    find: async ({ env: { redisUrl: url }, redis }) => {
      await tryRights(redis, { url, user: parseRedisUrl(url)?.username ?? "default" });
      return well("all");
    },
  },
  {
    part: "Redis: owner",
    how: "which installation it belongs to",
    severity: "refused",
    after: REDIS_ANSWERS,
    find: async ({ env, pool, redis }) => {
      const other = env.embedded.redis
        ? null
        : await findOtherInstallation(redis, await readInstallation(pool.db));
      return other === null ? well("this one") : { state: "taken", said: takenBy(other), cure: TAKEN_CURE };
    },
  },
  {
    part: "Redis: version",
    how: "INFO server",
    after: REDIS_ANSWERS,
    find: async ({ redis }) => {
      const version = await readInfo(redis, "server", "redis_version");
      if (version === null) return well("it does not say");
      if (Number.parseInt(version, 10) >= REDIS_MIN) return well(version);
      const cure = `Called It needs Redis ${REDIS_MIN} or newer: upgrade it.`;
      return { state: "old", said: `Redis is ${version}.`, cure };
    },
  },
  {
    part: "Mail",
    how: "a sign-in to the server of SMTP_URL",
    find: async ({ env, sendsMails }) => {
      if (env.smtpUrl !== null) return well(await tryMailServer(env.smtpUrl));
      if (sendsMails !== true) return well("a worker sends them");
      if (!env.production) return well("none: mails are shown at /dev/mail");
      const said =
        "SMTP_URL is not set: no mail is sent, so nobody can confirm an address or get a new password.";
      return { state: "none", said, cure: "Set it to the address of a mail server." };
    },
  },
  {
    part: "Sign-in of the organisation",
    how: "what the provider at OIDC_ISSUER says to the settings",
    find: async ({ env }) => {
      if (env.oidc === null) return well("none");
      const wrong = await tryProvider(env, env.oidc);
      return wrong === null ? well(env.oidc.issuer) : { state: "refused", ...wrong };
    },
  },
  {
    part: "Alerts",
    how: "the servers of ALERTS_TO",
    severity: "advice",
    cure: "Set them: `called-it alerts you@example.com`, with SMTP_URL for mail addresses.",
    find: async ({ env: { alertsTo, smtpUrl, production, metricsToken } }) => {
      const urls = alertsTo.filter(isWebAddress);
      // A program with the token may tell them.
      if (alertsTo.length === 0 && production && metricsToken === null)
        return { state: "none", said: "Nobody is told when something is wrong: ALERTS_TO is not set." };
      if (urls.length < alertsTo.length && smtpUrl === null)
        return { state: "none", said: "ALERTS_TO has a mail address, and SMTP_URL is not set." };
      // The whole address would get a message.
      const heads = urls.map((url) => ({ url: new URL(url).origin, method: "HEAD", headers: {} }));
      for (const head of heads) await requestOutside(head, { publicOnly: false });
      return well(`${alertsTo.length} addresses`);
    },
  },
  {
    part: "Storage",
    how: "a small file is written, read and removed",
    find: async ({ store }) => {
      // All in one folder, which stays.
      const key = newBlobKey().replace(/^.{4}/, "0000");
      await store.put(key, new TextEncoder().encode("tried"), "text/plain");
      const read = await store.get(key);
      await store.remove(key);
      if (read !== null) return well("yes");
      const cure = "Look at the storage behind STORAGE.";
      return { state: "lost", said: "What was stored could not be read.", cure };
    },
  },
  {
    part: "Payments",
    how: "a request to Stripe with STRIPE_SECRET_KEY",
    find: async ({ env }) => {
      const { provider } = env.payments;
      if (provider === "stripe") await providerOf(env).check();
      const found = findPayments(env);
      return found.state === "ok"
        ? well(provider === "stripe" ? `stripe; ${STRIPE_RULES}` : provider)
        : found;
    },
  },
  {
    part: "Traces",
    how: "an empty message to OTEL_EXPORTER_OTLP_ENDPOINT",
    severity: "advice",
    find: async ({ collector }) => {
      await collector?.check();
      return well(collector === undefined ? "none" : "taken");
    },
  },
  {
    part: "Data folder",
    how: "a file is written into DATA_DIR",
    severity: "away",
    find: async ({ env: { dataDir, embedded, storage } }) => {
      if (!embedded.database && !embedded.redis && storage.kind !== "disk")
        return well("nothing is stored there");
      const file = path.join(dataDir, `.tried-${randomUUID()}`);
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      await writeFile(file, "");
      await rm(file);
      return well(dataDir);
    },
  },
  {
    part: "Settings",
    how: "names in the environment",
    severity: "advice",
    cure: "Correct the name.",
    find: () => {
      const misspelled = findMisspelled(Object.keys(ownVariables()));
      return misspelled.length === 0 ? well("known") : { state: "misspelled", said: misspelled.join(" ") };
    },
  },
  {
    part: "Address",
    // The proxy may be started after the processes. What was reached before is watched.
    at: ["doctor"],
    how: "a page at PUBLIC_URL, in production",
    severity: "advice",
    cure: "Correct PUBLIC_URL, the name's address, the proxy before the processes or its certificate. If players reach it, and only this machine does not, all is well.",
    find: async ({ env }) => (env.production ? findAddress(env) : well("not tried")),
  },
  {
    part: "Proxies",
    how: "TRUSTED_PROXIES beside PUBLIC_URL",
    severity: "advice",
    find: ({ env: { production, publicUrl, trustedProxies } }) => {
      if (!production || !publicUrl.startsWith("https:") || trustedProxies.length > 0)
        return well(trustedProxies.join(", ") || "none");
      const said =
        "No proxy is trusted, and https comes from one: all players behind it count as one address.";
      return { state: "none", said, cure: "Name its address in TRUSTED_PROXIES." };
    },
  },
]);

const REDIS_REFUSES =
  "Redis answers, and does not do what is asked of it. Calls and pages work and are not live; mails and push messages wait. What to change stands below.";
const notHeardCure = ({ publicUrl }: Pick<Env, "publicUrl">) =>
  `What players have paid is booked minutes late, when Stripe is asked, and refunds and disputes that begin at Stripe are not. Look at Stripe under Developers, Webhooks: there must be an endpoint ${publicUrl}${WEBHOOKS_PATH}, whose signing secret is in STRIPE_WEBHOOK_SECRET; its log there shows what it was answered. A wrong clock of this machine refuses messages too.`;

/** The last known state of an external server. @param wrong the state of one that answers but refuses its work. */
function serviceOf(trouble: Error | null, wrong: string): Finding {
  if (trouble === null) return well();
  return { state: trouble instanceof SlowService ? "slow" : wrong, said: explainError(trouble) };
}

function findPayments(env: Env): Finding {
  const trouble = env.payments.provider === "none" ? null : providerOf(env).trouble();
  if (!(trouble instanceof NotHeard)) return serviceOf(trouble, "refused");
  return { state: "unheard", said: trouble.message, cure: notHeardCure(env) };
}

/** What a look from outside finds, by part. */
const outsideCures: Readonly<Record<keyof Outside, string>> = {
  names:
    "What this machine sends by a name fails: mails, payments, push messages, webhooks. Correct the name server in /etc/resolv.conf, or its network. If it answers about other names, see whether the domain of PUBLIC_URL is still registered.",
  certificate:
    'Once it has ended, nobody can open the page. Renew it, put it into its place and reload the proxy (deploy/rotate.md, "The certificate"). If certbot renews it, see why it did not: `certbot renew`.',
  address:
    "This machine reached PUBLIC_URL before, and does not now: players may not either. See whether the proxy runs, where the name leads, and whether the certificate is good.",
  cable:
    'Pages are not live, and ask instead. The proxy before the processes must pass `Upgrade`, `Connection`, `Host` and `Origin` on for /cable (deploy/machines.md, "Behind a proxy"); nothing has to be restarted here.',
  proxy:
    'All players have one address and share its limits, so guests are soon turned away. The proxy must send X-Forwarded-For, and TRUSTED_PROXIES must name the address that its requests come from (deploy/machines.md, "Behind a proxy").',
};
const lookedFromOutside = outsideParts.map((part) => ({
  part,
  seenBy: "one" as const,
  cure: outsideCures[part],
  follows: part === "address" ? (["names", "certificate", "processes"] as const) : [],
  find: (deps: Deps) => followOutside(deps)[part],
}));

/** What processes watch of Redis, of other servers and of the way to the players. Causes stand before what follows from them. */
export const watchedServers = watched("own", [
  {
    part: "redis",
    follows: [],
    cure: "Pages work and are not live, timers are up to a second late, and mails and push messages wait. Start Redis, or correct REDIS_URL.",
    silent: "away",
    find: async ({ redis, redisTrouble }) => {
      const trouble = redisTrouble?.() ?? null;
      // It lacks a right or takes no writes. A replica ends this process' connections meanwhile.
      if (trouble?.state === "refuses") return { ...trouble, cure: REDIS_REFUSES };
      const isAway = (await inTime(pingRedis(redis), PING_WITHIN_MS)) === null;
      return isAway ? (trouble ?? "away") : "ok";
    },
  },
  {
    part: "broadcasts",
    cure: "Pages ask instead of hearing. Stuck: nothing could be broadcast for 3 s; the log says why, mostly Redis takes no writes, because its memory (maxmemory) or its disk is full, or because it is a replica. Deaf: messages do not come back from Redis; it is away or frozen, or the network between loses packets.",
    follows: ["redis", ...ofDatabase],
    find: ({ isRelayStuck, isDeaf }) => {
      if (isRelayStuck?.() === true) return "stuck";
      return isDeaf?.() === true ? "deaf" : "ok";
    },
  },
  ...lookedFromOutside,
  {
    part: "storage",
    cure: "The storage refuses what it is asked, so pictures are answered with 503, or discarded ones stay; or it is slow, and they come late. Correct the storage, or STORAGE.",
    follows: ["names", "disk"],
    find: ({ store }) => serviceOf(store.trouble(), "refuses"),
  },
  {
    part: "payments",
    cure: "Nobody can pay in, and refunds wait; the game and what was paid go on. Correct STRIPE_SECRET_KEY, or see whether Stripe works and this machine reaches it. Refunds are sent again by themselves.",
    follows: ["names", "certificate", "address"],
    find: ({ env }) => findPayments(env),
  },
  {
    part: "replica",
    cure: "The replica of DATABASE_REPLICA_URL is away or more than 2 s behind, so the primary answers its reads too. Check its server and the replication.",
    follows: ["database"],
    find: ({ replica }) => (replica?.pool() === null ? "late" : "ok"),
  },
  {
    part: "smtp",
    follows: [],
    cure: "No mail is sent, so nobody can confirm an address or get a new password. Set SMTP_URL to the address of a mail server, and start the worker again: it sends what waits.",
    find: ({ env, sendsMails }) =>
      sendsMails === true && env.production && env.smtpUrl === null
        ? { state: "unset", said: "SMTP_URL is not set." }
        : "ok",
  },
  {
    part: "traces",
    cure: "The game goes on, and traces are lost or late. Start the collector, or correct OTEL_EXPORTER_OTLP_ENDPOINT, or leave it out.",
    follows: ["names"],
    find: ({ collector }) => serviceOf(collector?.trouble() ?? null, "lost"),
  },
]);
