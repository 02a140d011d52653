import * as v from "valibot";
import { newAccessTokenAnswer } from "#src/people/access-tokens/schemas.ts";
import { givePassword, PASSWORD } from "#tests/people/users/person.ts";
import { buildAdmin } from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import type { Fixture, Prepare } from "./fixture.ts";

const PATH = "/api/v1/users/me/access_tokens";
const body = {
  access_token: { name: "Scoreboard", scope: "run", valid_days: 30, current_password: PASSWORD },
};

async function owner({ deps, server }: Fixture) {
  const admin = await buildAdmin(deps);
  await givePassword(deps, admin.id);
  return signedInClient(deps, server, admin);
}

async function withToken(fixture: Fixture) {
  const browser = await owner(fixture);
  const { body: answer } = await browser.send("POST", PATH, body);
  return { browser, id: v.parse(newAccessTokenAnswer, answer).accessToken.id };
}

export const happyAccessTokens: Record<string, Prepare> = {
  listAccessTokens: async (fixture) => ({ browser: (await withToken(fixture)).browser }),
  makeAccessToken: async (fixture) => ({ browser: await owner(fixture), body }),
  revokeAccessToken: async (fixture) => {
    const { browser, id } = await withToken(fixture);
    return { browser, params: { id } };
  },
};
