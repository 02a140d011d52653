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
while (inARow < IN_A_ROW) {
  const answers = await Promise.allSettled(
    ["/users/sign_in", "/version"].map((path) => fetch(origin + path, { headers, keepalive: false })),
  );
  asked += 1;
  const [page, said] = answers.map((each) =>
    each.status === "fulfilled" && each.value.ok ? each.value : null,
  );
  if (page == null || said == null) failed += 1;
  const release = said == null ? null : v.parse(version, await said.json()).commit;
  inARow = release === commit ? inARow + 1 : 0;
  await Bun.sleep(EVERY_MS);
}
process.stdout.write(`${asked} asked, ${failed} failed\n`);
