import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { users } from "#db/schema/users.ts";
import { csvHeader } from "#src/base/csv.ts";
import { exportTransactions } from "#src/money/wallet/list-transactions.ts";
import { createServer } from "#src/server.ts";
import { asViewer } from "#tests/replays/as-viewer.ts";
import { buildAdmin, buildCall, buildEvent, buildPlayer } from "#tests/support/build.ts";
import { signedInClient, signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

const deps = await testDeps();
const server = createServer(deps);

const PATH = "/api/v1/transactions.csv";
const columns =
  "created_at,id,kind,memo,amount,balance_after,available_after,call_id,event_id,session_id,payment_id";

test("the file holds every transaction, oldest first, with its running balance", async () => {
  const [player, rival] = [await buildPlayer(deps), await buildPlayer(deps)];
  const browser = await signedInClient(deps, server, player);
  const event = await buildEvent(deps, "open", { title: '=HYPERLINK("http://x","Rain, or sun?")' });
  const callId = await buildCall(deps, { userId: player.id, eventId: event.id, wagerCents: 250 });
  await buildCall(deps, { userId: rival.id, eventId: event.id, side: "false", wagerCents: 100 });
  await resolveAndPay(deps, { eventId: event.id, actor: null, result: "true" });

  const { status, body, headers } = await browser.get(PATH);

  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
  expect(headers.get("content-disposition")).toBe(
    `attachment; filename="called-it-transactions-${player.id}.csv"`,
  );
  const lines = v.parse(v.string(), body).split("\r\n");
  const moment = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;
  const title = String.raw`=HYPERLINK\(""http://x"",""Rain, or sun\?""\)`;
  const expected = [
    columns,
    `${moment},entry-\\d+,grant,Play money: Welcome,100,100,100,,,,`,
    `${moment},call-${callId},hold,"Call placed: ${title}",-2.5,100,97.5,${callId},${event.id},,`,
    `${moment},payout-${callId},settle,"Won: ${title}",3.5,101,101,${callId},${event.id},,`,
    "",
  ];
  expect(lines).toHaveLength(expected.length);
  for (const [index, line] of expected.entries()) expect(lines[index]).toMatch(new RegExp(`^${line}$`));
});

test("a spreadsheet reads the letters right, by the byte order mark at the start", async () => {
  expect(csvHeader(["größer", "b"])).toBe("\uFEFFgrößer,b\r\n");
  const player = asViewer(await buildPlayer(deps), []);
  const file = await exportTransactions(deps.pool.db, player, {});
  expect([...new Uint8Array(await file.arrayBuffer()).slice(0, 4)]).toEqual([0xef, 0xbb, 0xbf, 0x63]);
});

test("other users' files are 404 except for admins; guests need an account", async () => {
  const player = await buildPlayer(deps);
  const path = `${PATH}?user_id=${player.id}`;
  const rival = await signedInClient(deps, server, await buildPlayer(deps));
  const admin = await signedInClient(deps, server, await buildAdmin(deps));
  expect(await rival.get(path)).toMatchObject({ status: 404, body: { code: "not_found" } });
  expect(await (await signedOutClient(server)).get(PATH)).toMatchObject({ status: 401 });
  expect(await admin.get(path)).toMatchObject({ status: 200 });
  expect(await admin.get(`${PATH}?user_id=me`)).toMatchObject({ status: 422 });
  await deps.pool.db.update(users).set({ guest: true, email: null }).where(eq(users.id, player.id));
  const guest = await signedInClient(deps, server, player);
  expect(await guest.get(PATH)).toMatchObject({ status: 403, body: { code: "guest" } });
});
