import { isAbsolute } from "node:path";
import * as v from "valibot";
import { backupSettings } from "./backup-settings.ts";
import { isNetwork } from "./networks.ts";
import { oidcSettings } from "./oidc-settings.ts";
import { parseRedisUrl } from "./redis-address.ts";
import { siteSettings } from "./site-settings.ts";
import { spendingSettings } from "./spending-settings.ts";
import {
  alertAddresses,
  commaList,
  dailyTime,
  databaseAddress,
  dollars,
  oneDatabase,
  onOff,
  origins,
  siteAddress,
  webAddress,
  wholeNumber,
} from "./value-schemas.ts";

/** One setting. Its texts are for the error that names it, and for the table in deploy/settings.md. */
type Setting = {
  /** A variable that is unset, or set to "", takes the schema's default. */
  schema: v.GenericSchema<string | undefined, unknown>;
  /** Completes the sentence "PORT must be ...". */
  must: string;
  /** What applies if it is not set, where the schema has no default. */
  fallback?: string;
  about: string;
};

const PORT_MAX = 65_535;
const WEB_CONCURRENCY_MAX = 64;
const DRAIN_SECONDS_MAX = 300;
const TOKEN_LENGTH_MIN = 32;
const COMMIT_LENGTH_MAX = 64;
const WATCHED_FOLDERS = "/var/lib/postgresql, /var/lib/redis, /var/backups/called-it";
const GUEST_GRANT_MAX_CENTS = 10_000;

const processSettings = {
  PORT: {
    schema: v.optional(v.pipe(wholeNumber, v.maxValue(PORT_MAX)), "3000"),
    must: "a number from 0 to 65535",
    about: "where the page is served",
  },
  HOST: {
    schema: v.optional(v.pipe(v.string(), v.regex(/^[\w.:-]+$/)), "127.0.0.1"),
    must: "a host name or an address",
    about: "the address listened on; 0.0.0.0 for all",
  },
  WEB_CONCURRENCY: {
    schema: v.optional(v.pipe(wholeNumber, v.minValue(1), v.maxValue(WEB_CONCURRENCY_MAX)), "1"),
    must: `a number from 1 to ${WEB_CONCURRENCY_MAX}`,
    about: "how many web processes share the port, such as one for each core; above 1 on Linux only",
  },
  DRAIN_SECONDS: {
    schema: v.optional(
      v.pipe(
        wholeNumber,
        v.maxValue(DRAIN_SECONDS_MAX),
        v.transform((seconds) => seconds * 1_000),
      ),
    ),
    must: `a number from 0 to ${DRAIN_SECONDS_MAX}`,
    fallback: "5; 0 outside production",
    about:
      "how long a web process still serves after SIGTERM, while /ready answers 503 and proxies stop using it",
  },
} as const satisfies Record<string, Setting>;

const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** What is seen of a running product: alerts, metrics, traces and its version. */
const observationSettings = {
  ALERTS_TO: {
    schema: v.optional(alertAddresses),
    must: "mail addresses and https:// addresses, separated by commas",
    fallback: "none: /admin, the log and the metrics say what is wrong",
    about: "who is told what is wrong, when it is over, and once a day that all is well (`called-it alerts`)",
  },
  ALERTS_QUIET: {
    schema: v.optional(dailyTime),
    must: "two times of the day and a zone, such as 23:00-07:00 Europe/Berlin",
    fallback: "none; a zone that is left out is UTC",
    about: "when only what pages is told; the rest waits until its end",
  },
  METRICS_TOKEN: {
    schema: v.optional(v.pipe(v.string(), v.minLength(TOKEN_LENGTH_MIN))),
    must: `at least ${TOKEN_LENGTH_MIN} characters`,
    fallback: "none: /metrics is for operators and admins who are signed in",
    about: "what a program sends to read /metrics: Authorization: Bearer ...",
  },
  METRICS_PORT: {
    schema: v.optional(v.pipe(wholeNumber, v.minValue(1), v.maxValue(PORT_MAX))),
    must: `a number from 1 to ${PORT_MAX}, with METRICS_TOKEN set`,
    fallback: "none: a web process alone on PORT serves /metrics there",
    about:
      "where each process serves /metrics at HOST: a machine's web processes here and at the next ports in their order, then its worker",
  },
  COMMIT: {
    schema: v.optional(v.pipe(v.string(), v.regex(/^[\w.-]+$/), v.maxLength(COMMIT_LENGTH_MAX))),
    must: "the name of a commit",
    fallback: "not known",
    about: "the commit that was built, for /version and the metrics",
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: v.optional(webAddress),
    must: "http:// or https:// and a host",
    fallback: "none: nothing is traced",
    about:
      "the OpenTelemetry collector (OTLP over HTTP) that gets traces; the other standard variables of its exporter apply too",
  },
  OTEL_TRACES_SAMPLER: {
    schema: v.optional(v.picklist(samplers), "parentbased_always_on"),
    must: samplers.join(", "),
    about: "which requests are traced",
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: v.optional(v.pipe(v.string(), v.regex(/^(0(\.\d+)?|1(\.0+)?)$/), v.transform(Number)), "1"),
    must: "a number from 0 to 1",
    about: "the part of the requests that traceidratio traces",
  },
} as const satisfies Record<string, Setting>;

export type TracingSettings = { sampler: (typeof samplers)[number]; ratio: number };

const gameSettings = {
  PLACING_QUEUE_MAX: {
    schema: v.optional(v.pipe(wholeNumber, v.minValue(1)), "2000"),
    must: "a number above 0",
    about: "how many calls may wait to be placed in a process; more are refused with 503",
  },
  GUESTS_PER_ADDRESS: {
    schema: v.optional(v.pipe(wholeNumber, v.minValue(1)), "300"),
    must: "a number above 0",
    about: "how many guests one address may make a day",
  },
  GUEST_GRANT: {
    schema: v.optional(v.pipe(dollars(3), v.maxValue(GUEST_GRANT_MAX_CENTS)), "100.00"),
    must: "dollars from 0 to 100.00",
    about: "the play money of a guest; a finished account gets the rest of $100.00",
  },
  RANK_GUESTS: {
    schema: v.optional(onOff, "on"),
    must: "on or off",
    about: "off: guests are on no leaderboard until they have an account, and then with all they have won",
  },
  REGISTRATION: {
    schema: v.optional(v.picklist(["open", "invited", "off"]), "open"),
    must: "open, invited or off",
    about:
      "who may create an account by the form: everybody, who has an invitation, or nobody (deploy/registration.md)",
  },
} as const satisfies Record<string, Setting>;

const SECRET_LENGTH_MIN = 32;
/** A secret that can be guessed lets anybody pay money in. */
const WEBHOOK_SECRET_LENGTH_MIN = 16;
const SILENT_SECONDS_MAX = 60;
const DATABASE_MUST = "postgres://user:password@host:port/database";

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
const webhookSecrets = v.pipe(
  commaList,
  v.everyItem((secret) => secret.length >= WEBHOOK_SECRET_LENGTH_MIN),
);
const webhookSecretsMust = `the signing secrets, separated by commas, each of at least ${WEBHOOK_SECRET_LENGTH_MIN} characters`;

/** All settings by the names of their environment variables. A new setting is added here and in the table in deploy/settings.md. */
export const settings = {
  ...processSettings,
  DATA_DIR: {
    schema: v.optional(v.string(), ".data"),
    must: "a folder",
    about: "the data folder: database, queue, uploads, secrets",
  },
  WATCHED_FOLDERS: {
    schema: v.optional(v.pipe(commaList, v.everyItem(isAbsolute)), WATCHED_FOLDERS),
    must: "folders that begin with /, separated by commas",
    about: "folders beside DATA_DIR whose disks are watched; those that do not exist are left out",
  },
  DATABASE_URL: {
    schema: v.optional(databaseAddress),
    must: DATABASE_MUST,
    fallback: "its own Postgres in DATA_DIR",
    about: "a Postgres (15 or newer) to use instead",
  },
  MIGRATE_DATABASE_URL: {
    schema: v.optional(databaseAddress),
    must: DATABASE_MUST,
    fallback: "DATABASE_URL",
    about:
      "the same Postgres as the owner of the tables: then the role of DATABASE_URL cannot change the books",
  },
  DATABASE_REPLICA_URL: {
    schema: v.optional(oneDatabase),
    must: `${DATABASE_MUST}, of one server`,
    fallback: "none: all is read from DATABASE_URL",
    about:
      "a streaming replica, as the application's role: it answers what may be 2 s old, such as replays and exports",
  },
  DATABASE_SILENT_SECONDS: {
    schema: v.optional(
      v.pipe(
        wholeNumber,
        v.minValue(1),
        v.maxValue(SILENT_SECONDS_MAX),
        v.transform((seconds) => seconds * 1_000),
      ),
      "3",
    ),
    must: `a number from 1 to ${SILENT_SECONDS_MAX}`,
    about: "after how many seconds without an answer the database counts as away; a slow machine needs more",
  },
  REDIS_URL: {
    schema: v.optional(
      v.pipe(
        v.string(),
        v.check((url) => parseRedisUrl(url) !== null),
      ),
    ),
    must:
      "redis://host:port/0, redis+cluster://host1:port,host2:port, redis+sentinel://host1:port,host2:port/master, " +
      "the same with rediss, or unix:/path",
    fallback: "its own Redis in DATA_DIR",
    about: "a Redis (7 or newer, noeviction) to use instead; a cluster or sentinels too",
  },
  SECRET_KEY: {
    schema: v.optional(v.pipe(v.string(), v.minLength(SECRET_LENGTH_MIN))),
    must: "at least 32 characters",
    fallback: "generated and stored in DATA_DIR; required in production",
    about: "signs cookies and links, and webhooks' messages",
  },
  PUBLIC_URL: {
    schema: v.optional(siteAddress),
    must: "http:// or https:// and a host, without a path",
    fallback: "http://localhost:PORT",
    about: "the address that people open",
  },
  SMTP_URL: {
    schema: v.optional(v.pipe(v.string(), v.regex(/^smtps?:\/\//), v.url())),
    must: "smtp://user:password@host:port or smtps://",
    fallback: "none: mails are stored and shown at /dev/mail, outside production",
    about: "the mail server that sends the mails",
  },
  MAIL_FROM: {
    schema: v.optional(v.pipe(v.string(), v.rfcEmail())),
    must: "an email address",
    fallback: "no-reply@ the host of PUBLIC_URL",
    about: "the sender address of mails",
  },
  STORAGE: {
    schema: v.optional(v.pipe(v.string(), v.regex(/^(disk|s3:\/\/.+)$/)), "disk"),
    must: "disk or s3://key:secret@host/bucket?region=name",
    about: "where uploads are stored: in DATA_DIR, or in a bucket",
  },
  AWS_ACCESS_KEY_ID: {
    schema: v.optional(v.string()),
    must: "the key's id",
    fallback: "the one in STORAGE",
    about: "for a bucket whose address carries no key",
  },
  AWS_SECRET_ACCESS_KEY: {
    schema: v.optional(v.string()),
    must: "the key's secret",
    fallback: "the one in STORAGE",
    about: "for a bucket whose address carries no key",
  },
  STRIPE_SECRET_KEY: {
    schema: v.optional(v.pipe(v.string(), v.regex(/^[sr]k_/))),
    must: "a secret or restricted key of Stripe",
    fallback: "none: the test provider is used, outside production",
    about: "takes payments by Stripe",
  },
  STRIPE_WEBHOOK_SECRET: {
    schema: v.optional(webhookSecrets),
    must: webhookSecretsMust,
    fallback: "none; required with STRIPE_SECRET_KEY",
    about: "what Stripe signs its webhooks with; two while one replaces the other",
  },
  STRIPE_API_URL: {
    schema: v.optional(webAddress),
    must: "http:// or https:// and a host",
    fallback: "Stripe's own",
    about: "another server that speaks Stripe's API",
  },
  PAYMENTS_WEBHOOK_SECRET: {
    schema: v.optional(webhookSecrets),
    must: webhookSecretsMust,
    fallback: "derived from SECRET_KEY",
    about: "what the test provider signs its webhooks with",
  },
  VAPID_PRIVATE_KEY: {
    schema: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{43}$/))),
    must: "a P-256 private key: 32 bytes in base64url",
    fallback: "derived from SECRET_KEY",
    about: "by which push services recognize the product; keep it when SECRET_KEY changes",
  },
  PUSH_SERVICE_URL: {
    schema: v.optional(webAddress),
    must: "http:// or https:// and a host",
    fallback: "none: browsers may name any public https address",
    about: "another push service that browsers may name, such as one in a private network",
  },
  LOG_LEVEL: {
    schema: v.optional(v.picklist(logLevels), "info"),
    must: logLevels.join(", "),
    about: "how much is logged",
  },
  TRUSTED_PROXIES: {
    schema: v.optional(v.pipe(commaList, v.everyItem(isNetwork))),
    must: "IP addresses or networks, separated by commas, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32",
    fallback: "none",
    about: "proxies whose X-Forwarded-For is trusted: their addresses or networks, such as 10.0.0.0/8",
  },
  RATE_LIMITS: {
    schema: v.optional(onOff, "on"),
    must: "on or off",
    about: "limits on sign-ins, calls and chat; cannot be off in production",
  },
  ADMIN_PASSKEYS: {
    schema: v.optional(v.picklist(["optional", "required"]), "optional"),
    must: "optional or required",
    about: "required: admins, operators and hosts of a session act as such only after a sign-in by passkey",
  },
  FRAME_ORIGINS: {
    schema: v.optional(origins),
    must: "origins such as https://example.com, separated by commas",
    fallback: "none: no page can be put into another one",
    about:
      "whose pages may have the big screen, the overlay and the card of a session in a frame (streamers.md)",
  },
  ...siteSettings,
  ...oidcSettings,
  ...gameSettings,
  ...spendingSettings,
  ...observationSettings,
  ...backupSettings,
  DEMO: {
    schema: v.optional(onOff),
    must: "on or off",
    fallback: "on; always off in production",
    about: "demo players and a rehearsal session that plays itself",
  },
  NODE_ENV: {
    schema: v.optional(v.picklist(["production", "development", "test"])),
    must: "production, development or test",
    fallback: "development; has to be set where others reach it",
    about: "production asks for real secrets and logs JSON",
  },
} as const satisfies Record<string, Setting>;

/** What applies if a setting is not set, in words. */
export const fallbackOf = ({ schema, fallback }: Setting) => fallback ?? String(v.getDefault(schema));

export const settingsSchema = v.object(schemasOf(settings));
/** The settings as their schemas read them, before anything is derived from them. */
export type ReadSettings = v.InferOutput<typeof settingsSchema>;

/** A setting is wrong. The message names the variable and says how to correct it. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

function schemasOf<All extends Record<string, Setting>>(
  all: All,
): { [Name in keyof All]: All[Name]["schema"] };
function schemasOf(all: Record<string, Setting>): v.ObjectEntries {
  return Object.fromEntries(Object.entries(all).map(([name, { schema }]) => [name, schema]));
}
