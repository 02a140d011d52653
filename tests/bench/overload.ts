import path from "node:path";
import { PASSWORD, Person } from "#tests/people/users/person.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { openBenchDeps, type BenchDeps } from "./bench-deps.ts";
import { giveRealPassword } from "./give-real-password.ts";
import { atMost, type Goal } from "./goal.ts";
import { median, quantile } from "./numbers.ts";
import { ATTACKS, FROM } from "./overload-contract.ts";
import { endWithThis, startWeb } from "./start-web.ts";
import { show, type Table } from "./table.ts";

const MEASURED_MS = 6_000;
const UP_EVERY_MS = 10;
const SIGN_IN_EVERY_MS = 500;
const GOOD_SIGN_INS = 20;
/** Each good sign-in comes from an address of its own. */
const goodAddress = (index: number) => ({ [FROM]: `203.0.113.${index + 1}` });

/**
 * Measures what others notice of cheap requests without end: GET /up each 10 ms, and a good sign-in each 500 ms. The baseline
 * is the same process while nothing else is sent.
 */
export async function benchOverload(): Promise<Table> {
  const deps = await openBenchDeps();
  const web = await startWeb(deps, { variables: { TRUSTED_PROXIES: "127.0.0.1" } });
  try {
    const emails = await buildPeople(deps);
    const guest = await signInDirectly(deps, await buildPlayer(deps));
    const rows = [["meanwhile", "up p50 ms", "up p95 ms", "up max ms", "sign-in max ms", "sign-ins refused"]];
    const goals: Goal[] = [];
    await measure(web.origin, emails);
    rows.push(["idle", ...cellsOf(await measure(web.origin, emails))]);
    for (const name of ATTACKS) {
      const attack = startAttack(name, web.origin, guest["cookie"] ?? "");
      const noticed = await measure(web.origin, emails);
      rows.push([name, ...cellsOf(noticed)]);
      goals.push(
        atMost(50, { what: `${name}: p95 of /up`, measured: noticed.upP95Ms, unit: "ms" }),
        atMost(1_000, { what: `${name}: slowest sign-in`, measured: noticed.signInMaxMs, unit: "ms" }),
      );
      attack.kill();
      await attack.exited;
    }
    return {
      title: "overload: what others notice of cheap requests without end",
      rows,
      goals,
      notes: [`${MEASURED_MS / 1_000} s of each.`],
    };
  } finally {
    await web.stop();
    await deps.close();
  }
}

function startAttack(name: string, origin: string, cookie: string): Bun.Subprocess {
  const attack = Bun.spawn(
    [process.execPath, path.join(import.meta.dir, "attack.ts"), name, origin, cookie],
    {
      stderr: "inherit",
    },
  );
  endWithThis(attack);
  return attack;
}

let asked = 0;

/** What others notice. */
type Noticed = Record<"upP50Ms" | "upP95Ms" | "upMaxMs" | "signInMaxMs" | "refused", number>;

function cellsOf({ upP50Ms, upP95Ms, upMaxMs, signInMaxMs, refused }: Noticed): string[] {
  return [upP50Ms, upP95Ms, upMaxMs, signInMaxMs, refused].map(show);
}

async function measure(origin: string, emails: readonly string[]): Promise<Noticed> {
  const [upMs, signIns] = await Promise.all([
    repeat(UP_EVERY_MS, () => time(() => fetch(`${origin}/up`))),
    repeat(SIGN_IN_EVERY_MS, () => signInWell(origin, emails)),
  ]);
  const tookMs = upMs.map(({ tookMs: each }) => each);
  return {
    upP50Ms: median(tookMs),
    upP95Ms: quantile(tookMs, 0.95),
    upMaxMs: Math.max(...tookMs),
    signInMaxMs: Math.max(...signIns.map(({ tookMs: each }) => each)),
    refused: signIns.filter(({ status }) => status !== 200).length,
  };
}

type Timed = { status: number; tookMs: number };

async function time(ask: () => Promise<Response>): Promise<Timed> {
  const sentAt = performance.now();
  const response = await ask();
  await response.text();
  return { status: response.status, tookMs: performance.now() - sentAt };
}

/** Asks at a steady rate for MEASURED_MS, also while earlier answers are pending. */
async function repeat(everyMs: number, ask: () => Promise<Timed>): Promise<Timed[]> {
  const startedAt = performance.now();
  const all = Array.from({ length: MEASURED_MS / everyMs }, async (_, index) => {
    await Bun.sleep(Math.max(0, startedAt + index * everyMs - performance.now()));
    return ask();
  });
  return Promise.all(all);
}

function personFrom(origin: string, headers: Record<string, string>): Person {
  const handle = (request: Request) => {
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    return fetch(request);
  };
  return new Person({ handle }, origin);
}

async function signInWell(origin: string, emails: readonly string[]): Promise<Timed> {
  const index = asked;
  asked += 1;
  const person = personFrom(origin, goodAddress(index % 250));
  await person.get("/api/v1/users/me");
  return time(() => person.signIn(emails[index % emails.length] ?? "", PASSWORD));
}

async function buildPeople(deps: BenchDeps): Promise<string[]> {
  const emails: string[] = [];
  for (let count = 0; count < GOOD_SIGN_INS; count += 1) {
    const user = await buildPlayer(deps);
    await giveRealPassword(deps, user.id);
    emails.push(String(user.email));
  }
  return emails;
}
