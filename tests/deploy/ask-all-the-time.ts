import * as v from "valibot";

// bun tests/deploy/ask-all-the-time.ts ORIGIN COMMIT METRICS_TOKEN: asks for a page again and again, until each answer of the last seconds came from
// that release. It prints how many it has asked for, and how many have failed.

const [origin = "", commit = "", token = ""] = process.argv.slice(2);
const headers = { authorization: `Bearer ${token}` };
const version = v.object({ commit: v.nullable(v.string()) });
const EVERY_MS = 100;
/** Both web processes have answered so often. */
const IN_A_ROW = 40;
let [asked, failed, inARow] = [0, 0, 0];
const failures = new Map<string, number>();

/** @returns the answer; null with its reason in `failures`. */
async function ask(path: string): Promise<Response | null> {
  const said = await fetch(origin + path, { headers, keepalive: false }).catch((error: unknown) =>
    String(error),
  );
  if (typeof said !== "string" && said.ok) return said;
  const reason = `${path} ${typeof said === "string" ? said : said.status}`;
  failures.set(reason, (failures.get(reason) ?? 0) + 1);
  return null;
}

while (inARow < IN_A_ROW) {
  const [page, said] = await Promise.all([ask("/users/sign_in"), ask("/version")]);
  asked += 1;
  if (page === null || said === null) failed += 1;
  const release = said === null ? null : v.parse(version, await said.json()).commit;
  inARow = release === commit ? inARow + 1 : 0;
  await Bun.sleep(EVERY_MS);
}
const reasons = [...failures].map(([reason, count]) => `, ${reason} (${count})`);
process.stdout.write(`${asked} asked, ${failed} failed${reasons.join("")}\n`);
process.exit(failed === 0 ? 0 : 1);
