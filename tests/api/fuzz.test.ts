import { expect, test } from "bun:test";
import * as fc from "fast-check";
import * as v from "valibot";
import { sessions } from "#db/schema/sessions.ts";
import { errorBody } from "#src/http/schemas.ts";
import { ownVariables } from "#src/settings/env.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { listDifferences } from "#tests/support/books.ts";
import { buildAdmin } from "#tests/support/build.ts";
import { type Answer, visitAs, type Visitor } from "#tests/support/visitor.ts";
import { askServer } from "./ask.ts";
import { happy } from "./happy.ts";
import { type MadeUp, requestsOf } from "./operations.ts";
import { openStage, type Stage } from "./stage.ts";

/** `FUZZ_SEED=7 FUZZ_REQUESTS=50000 bun test tests/api/fuzz.test.ts` asks others, and more. */
const { FUZZ_REQUESTS = "10000", FUZZ_SEED = "2026" } = ownVariables();
const WITHIN_MS = 900_000;
/** What belongs in the log alone: stacks, files, statements. */
const leak =
  /\bat .+:\d+:\d+|node_modules|\/src\/|\bselect .+ from\b|\binsert into\b|violates|syntax error|drizzle|PostgresError/i;
/** So that some of what is asked for is there. */
const played = [
  "showReceipt",
  "placeCall",
  "showSettlement",
  "updatePositions",
  "destroyMessage",
  "reorderEvents",
];

let stage: Stage = await openStage({ RATE_LIMITS: "off" });
for (const name of [...played, "markNotificationsRead", "showPayment", "endTestCheckout"])
  await happy[name]?.(stage);
afterFile(() => stage.deps.close());

const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const knockers = ["admin", "admin", "admin", "admin", "other", "other", "guest", "operator", "out"] as const;
type Knocker = (typeof knockers)[number];

async function send({ method, address, body }: MadeUp, browser: Visitor): Promise<Answer> {
  const json = body === undefined ? {} : { "content-type": "application/json" };
  const headers = { accept: "application/json", ...browser.credentials(), ...json };
  const init = { method, headers, ...(body === undefined || method === "GET" ? {} : { body }) };
  return askServer(stage.server, new Request(`http://localhost:3000${address}`, init));
}

/** What is wrong with an answer; null where nothing is. */
function faultIn({ status, body }: Answer): string | null {
  if (status >= 500) return `answered ${status}`;
  if (status < 400) return null;
  if (leak.test(JSON.stringify(body))) return "tells too much";
  return v.is(v.looseObject(errorBody.entries), body) ? null : "has another form";
}

/** Some requests end the sign-in that they came with. */
async function renew(knocker: Knocker): Promise<void> {
  if (knocker === "out") return;
  const { id } = knocker === "admin" ? await buildAdmin(stage.deps) : await stage.player();
  stage = { ...stage, [knocker]: { id, browser: await visitAs(stage.deps, stage.server, { id }) } };
}

test(
  "whatever is asked of the API, it answers without a bug, a leak or a cent amiss",
  async () => {
    const seed = Number(FUZZ_SEED);
    const known = await stage.deps.pool.db.select({ slug: sessions.slug }).from(sessions);
    const slugs = ["new", "me", ...known.map(({ slug }) => slug)];
    const made = fc.tuple(requestsOf(ids, slugs), fc.constantFrom(...knockers));
    const faults: unknown[] = [];
    const statuses: Record<number, number> = {};
    for (const [request, knocker] of fc.sample(made, { numRuns: Number(FUZZ_REQUESTS), seed })) {
      const answer = await send(request, knocker === "out" ? stage.out : stage[knocker].browser);
      if (answer.status === 401) await renew(knocker);
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      const fault = faultIn(answer);
      if (fault !== null) faults.push({ seed, fault, knocker, ...request, answered: answer.body });
    }
    expect(faults).toEqual([]);
    expect(await listDifferences(stage.deps.pool.db)).toEqual([]);
    // Enough of it must have come through, and enough must have been refused for what it says.
    const few = Number(FUZZ_REQUESTS) / 50;
    expect({ seed, statuses, enough: Math.min(statuses[200] ?? 0, statuses[422] ?? 0) > few }).toMatchObject({
      enough: true,
    });
  },
  WITHIN_MS,
);
