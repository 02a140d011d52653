import { describe, expect, test } from "bun:test";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { createServer } from "#src/server.ts";
import { buildAdmin, buildPlayer } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { type Reader, readerFor } from "./browser.ts";

const deps = await testDeps();
const server = createServer(deps);
const admin = await readerFor(deps, server, await buildAdmin(deps));
const player = await buildPlayer(deps);
let reader: Reader = await readerFor(deps, server, player);
const path = `/users/${player.id}`;

test("a search that finds nobody says so", async () => {
  expect((await admin.open("/users?search=nobody-here")).html).toContain("Nobody found");
});

describe("adjusting a wallet without JavaScript", () => {
  const form = { intent: "adjust", key: "form-1", amount: "7.5", reason: "Won the raffle" };

  test("moves the money once, however often the form is sent", async () => {
    for (let sent = 0; sent < 2; sent++) {
      expect(await admin.sendForm(path, form)).toMatchObject({ status: 303, location: path });
    }
    expect(await findWalletView(deps.pool.db, player.id)).toMatchObject({ balanceCents: 10_750 });
    expect((await admin.open(path)).html).toContain("Adjustment: Won the raffle");
  });

  test("shows the form again with its errors, and moves nothing", async () => {
    const page = await admin.sendForm(path, { ...form, key: "form-2", amount: "", reason: "" });
    expect(page.status).toBe(422);
    expect(page.html).toContain("Reason can&#x27;t be blank");
    expect(page.html).toContain("Amount in dollars");
    expect(await findWalletView(deps.pool.db, player.id)).toMatchObject({ balanceCents: 10_750 });
  });
});

test("an admin deactivates and reactivates an account, and changes its roles, without JavaScript", async () => {
  const done = { status: 303, location: path };
  expect(await admin.sendForm(path, { intent: "deactivate", reason: "Two accounts" })).toMatchObject(done);
  expect((await reader.open("/profile")).location).toStartWith("/users/sign_in");
  expect((await admin.open(path)).html).toContain("Deactivated: nobody can sign in.");
  expect(await admin.sendForm(path, { intent: "reactivate" })).toMatchObject(done);
  expect(await admin.sendForm(path, { intent: "roles", roles: "operator" })).toMatchObject(done);
  expect((await admin.open(path)).html).toMatch(/value="operator" checked|checked="" value="operator"/);
  expect(await admin.sendForm(path, { intent: "roles" })).toMatchObject(done);
  reader = await readerFor(deps, server, player);
  expect((await reader.open("/profile")).status).toBe(200);
});

test("an unknown form is refused", async () => {
  expect((await admin.sendForm(path, { intent: "promote" })).status).toBe(400);
});
