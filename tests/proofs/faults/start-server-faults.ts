import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { SMTPServer } from "smtp-server";
import { startStripeServer } from "#tests/money/payments/stripe-server.ts";
import { afterFile } from "#tests/support/after-file.ts";
import type { TestDeps } from "#tests/support/deps.ts";
import { s3Key, startS3Server } from "#tests/support/s3-server.ts";

/** Something that is wrong before a start. */
export type StartFault = {
  name: string;
  /** @returns the settings that lead to it. */
  settings: () => Promise<Record<string, string>> | Record<string, string>;
  /** What the doctor and the start say: the cause, and in the same line or the next one the cure. */
  says: RegExp;
  /** "refused": the process ends. "waits": it waits for it. "goes on": it serves without it. */
  start: "refused" | "waits" | "goes on";
  end?: () => unknown;
};

/** Nothing listens there. */
export const NOWHERE = "127.0.0.1:1";

export const uniqueName = (start: string) => `${start}${crypto.randomUUID().slice(0, 8)}`;

/** What is wrong with the servers of others. */
export function serverFaults(): StartFault[] {
  const bucketWith = (change: (place: string) => string) => () => {
    const bucket = startS3Server();
    afterFile(() => bucket.stop());
    return { STORAGE: change(bucket.address) };
  };
  return [
    {
      name: "the mail server wants another password",
      settings: async () => {
        const server = new SMTPServer({
          allowInsecureAuth: true,
          disabledCommands: ["STARTTLS"],
          logger: false,
          onAuth: (_auth, _session, answer) => answer(new Error("5.7.8 wrong password")),
        });
        await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
        afterFile(async () => {
          server.close(() => undefined);
        });
        const at = server.server.address();
        return { SMTP_URL: `smtp://ana:wrong@127.0.0.1:${typeof at === "object" ? at?.port : 0}` };
      },
      says: /The mail server refuses the user or the password in SMTP_URL/,
      start: "goes on",
    },
    {
      name: "the mail server is stopped",
      settings: () => ({ SMTP_URL: `smtp://${NOWHERE}` }),
      says: /The mail server cannot be reached there\. Start it/,
      start: "goes on",
    },
    {
      name: "the bucket wants another password",
      settings: bucketWith((place) => place.replace(encodeURIComponent(s3Key.secret), "wrong")),
      says: /does not know this key\. Correct it in STORAGE/,
      start: "goes on",
    },
    {
      name: "the bucket is stopped",
      settings: bucketWith((place) => place.replace(/127\.0\.0\.1:\d+/, NOWHERE)),
      says: /Storage:? .*Start the server, or correct the address/,
      start: "goes on",
    },
    ...paymentFaults,
  ];
}

const stripeAt = (url: string) => ({
  STRIPE_SECRET_KEY: "sk_test_local",
  STRIPE_WEBHOOK_SECRET: "whsec_of_tests_of_starts",
  STRIPE_API_URL: url,
});

/** What is wrong with the payment provider and with the collector of traces. */
const paymentFaults: readonly StartFault[] = [
  {
    name: "Stripe does not know the key",
    settings: () => {
      const stripe = startStripeServer();
      afterFile(() => stripe.stop());
      return { ...stripeAt(stripe.url), STRIPE_SECRET_KEY: "sk_test_another" };
    },
    says: /Stripe does not know the key \(401\)\. Correct STRIPE_SECRET_KEY/,
    start: "goes on",
  },
  {
    name: "Stripe does not answer",
    settings: () => stripeAt(`http://${NOWHERE}`),
    says: /Payments:? .*Nothing listens at this address/,
    start: "goes on",
  },
  {
    name: "the collector of traces is stopped",
    settings: () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://${NOWHERE}` }),
    says: /Traces:? .*Nothing listens at this address/,
    start: "goes on",
  },
];

const DISK_MB = 32;

/** What is wrong with the machine and with settings that belong together. */
export function machineFaults(deps: TestDeps): StartFault[] {
  const below = (name: string) => path.join(deps.env.dataDir, "..", uniqueName(`${name}-`));
  const production = {
    NODE_ENV: "production",
    PUBLIC_URL: "https://127.0.0.1:1",
    SMTP_URL: "",
    TRUSTED_PROXIES: "127.0.0.1",
  };
  return [
    {
      name: "PUBLIC_URL leads nowhere",
      settings: () => production,
      says: /https:\/\/127\.0\.0\.1:1 does not answer this machine: .*Correct PUBLIC_URL/,
      start: "goes on",
    },
    {
      name: "production without a mail server",
      settings: () => production,
      says: /SMTP_URL is not set: no mail is sent.*Set it to the address of a mail server/,
      start: "goes on",
    },
    {
      name: "no proxy is trusted",
      settings: () => ({ ...production, TRUSTED_PROXIES: "" }),
      says: /No proxy is trusted.*Name its address in TRUSTED_PROXIES/,
      start: "goes on",
    },
    {
      name: "PUBLIC_URL has a path",
      settings: () => ({ PUBLIC_URL: "https://a.example/b" }),
      says: /PUBLIC_URL must be .*without a path\. Correct it/,
      start: "refused",
    },
    {
      name: "TRUSTED_PROXIES is no address",
      settings: () => ({ TRUSTED_PROXIES: "nonsense" }),
      says: /TRUSTED_PROXIES must be .*Correct it/,
      start: "refused",
    },
    ...diskFaults(below),
  ];
}

function diskFaults(below: (name: string) => string): StartFault[] {
  let disk = "";
  return [
    {
      name: "DATA_DIR cannot be written",
      settings: () => {
        const file = below("file");
        writeFileSync(file, "");
        return { DATA_DIR: path.join(file, "inside") };
      },
      says: /Data folder:? .*name another place/,
      start: "goes on",
    },
    {
      name: "the disk is full",
      settings: () => {
        disk = below("disk");
        mkdirSync(disk);
        Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${DISK_MB}m`, "tmpfs", disk]);
        return { DATA_DIR: disk };
      },
      says: /Disk:? .*Less than 64 MB are free\. Make room/,
      start: "goes on",
      end: () => Bun.spawnSync(["umount", "-l", disk]),
    },
  ];
}
