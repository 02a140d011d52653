import * as v from "valibot";
import { creationOptionsAnswer, passkeyAnswer, requestOptionsAnswer } from "#src/people/passkeys/schemas.ts";
import { Authenticator } from "#tests/people/passkeys/authenticator.ts";
import { givePassword, PASSWORD } from "#tests/people/users/person.ts";
import { signedOutClient, type TestClient } from "#tests/support/client.ts";
import type { Fixture, Prepare, TestUser } from "./fixture.ts";

const PATH = "/api/v1/users/me/passkeys";
const currentPassword = { passkey: { current_password: PASSWORD } };

async function owner(fixture: Fixture): Promise<TestUser> {
  const player = await fixture.player();
  await givePassword(fixture.deps, player.id);
  return player;
}

/** A new passkey that was not sent yet. */
async function createPasskey(browser: TestClient) {
  const { body } = await browser.send("POST", `${PATH}/options`, currentPassword);
  const authenticator = new Authenticator();
  const credential = authenticator.create(v.parse(creationOptionsAnswer, body).options);
  return { authenticator, body: { passkey: { name: "My phone", credential } } };
}

async function withPasskey(fixture: Fixture) {
  const { browser } = await owner(fixture);
  const { authenticator, body } = await createPasskey(browser);
  const added = await browser.send("POST", PATH, body);
  return { browser, authenticator, params: { id: v.parse(passkeyAnswer, added.body).passkey.id } };
}

export const happyPasskeys: Record<string, Prepare> = {
  askForPasskeySignIn: async ({ server }) => ({ browser: await signedOutClient(server) }),
  signInByPasskey: async (fixture) => {
    const { authenticator } = await withPasskey(fixture);
    const browser = await signedOutClient(fixture.server);
    const { body } = await browser.send("POST", "/users/sign_in/passkey/options");
    const credential = authenticator.get(v.parse(requestOptionsAnswer, body).options);
    return { browser, body: { user: { credential } } };
  },
  listPasskeys: async (fixture) => ({ browser: (await withPasskey(fixture)).browser }),
  askForPasskey: async (fixture) => ({ browser: (await owner(fixture)).browser, body: currentPassword }),
  addPasskey: async (fixture) => {
    const { browser } = await owner(fixture);
    return { browser, body: (await createPasskey(browser)).body };
  },
  askToConfirmByPasskey: async (fixture) => ({ browser: (await withPasskey(fixture)).browser }),
  renamePasskey: async (fixture) => {
    const { browser, params } = await withPasskey(fixture);
    return { browser, params, body: { passkey: { name: "Old phone" } } };
  },
  removePasskey: async (fixture) => {
    const { browser, params } = await withPasskey(fixture);
    return { browser, params };
  },
};
