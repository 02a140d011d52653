import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { accessTokens } from "#db/schema/access-tokens.ts";
import { hashAccessToken } from "#src/people/sign-ins/access-tokens.ts";
import { readerFor } from "#tests/pages/ssr/browser.ts";
import { oneOf, parsePage, textsOf } from "#tests/pages/ssr/parse-page.ts";
import { PASSWORD } from "#tests/people/users/person.ts";
import { buildAdmin, only } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";
import { createProgram } from "./build-token.ts";

const PATH = "/profile/tokens";
const { deps, server } = await testWorld();

const wish = { intent: "make", name: "Scoreboard", scope: "read", valid_days: "7" };

async function openTokens() {
  const admin = await buildAdmin(deps);
  const reader = await readerFor(deps, server, admin);
  const rows = () => deps.pool.db.select().from(accessTokens).where(eq(accessTokens.userId, admin.id));
  return { reader, rows };
}

test("without JavaScript an admin makes a token, reads its secret once, and revokes it", async () => {
  const { reader, rows } = await openTokens();
  const made = await reader.sendForm(PATH, { ...wish, "user[current_password]": PASSWORD });
  expect(made.status).toBe(200);
  const secret = oneOf(parsePage(made.html), '[role="status"] input').getAttribute("value") ?? "";
  const row = only(await rows());
  expect(row.secretHash).toBe(hashAccessToken(secret));
  const program = createProgram(server, secret);
  expect((await program.get("/api/v1/sessions")).status).toBe(200);

  const list = await reader.open(PATH);
  expect(textsOf(parsePage(list.html), ".token-row b")).toEqual(["Scoreboard"]);
  expect(list.html).not.toContain(secret);
  const revoked = await reader.sendForm(PATH, { intent: "revoke", id: String(row.id) });
  expect([revoked.status, revoked.location]).toEqual([303, `${PATH}?done=revoked`]);
  const { html } = await reader.open(`${PATH}?done=revoked`);
  expect(html).toContain("The token is revoked. It is refused from now on.");
  expect(textsOf(parsePage(html), ".token-row b")).toEqual([]);
  expect((await program.get("/api/v1/sessions")).status).toBe(401);
});
