import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { paymentFlags } from "#db/schema/payments.ts";
import { users } from "#db/schema/users.ts";
import { SIGNATURE_HEADER, signWebhook } from "#src/money/payments/provider.ts";
import { paymentAnswer, type PaymentView } from "#src/money/payments/schemas.ts";
import { newAccessTokenAnswer } from "#src/people/access-tokens/schemas.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { creationOptionsAnswer, passkeyAnswer, requestOptionsAnswer } from "#src/people/passkeys/schemas.ts";
import { pushSubscriptionAnswer } from "#src/people/push/schemas.ts";
import { insertGuest } from "#src/people/users/create-guest.ts";
import { deactivateUser } from "#src/people/users/manage-user.ts";
import { accountAnswer } from "#src/people/users/schemas.ts";
import { issueToken, type TokenKind } from "#src/people/users/tokens.ts";
import { about, messageOf, postSigned } from "#tests/money/payments/webhook.ts";
import { Authenticator } from "#tests/people/passkeys/authenticator.ts";
import { PushBrowser } from "#tests/people/push/push-browser.ts";
import { givePassword, PASSWORD } from "#tests/people/users/person.ts";
import { buildAdmin, buildPlayer, only } from "#tests/support/build.ts";
import { signedInClient, signedOutClient, type TestClient } from "#tests/support/client.ts";
import { setRows } from "#tests/support/rows.ts";
import { type Fixture, type Happy, type Prepare, type TestUser, WEBHOOK_SECRET } from "./fixture.ts";

const NEW_PASSWORD = "nine green ladders";

async function playerWithPassword(fixture: Fixture): Promise<TestUser & { email: string }> {
  const player = await fixture.player();
  await givePassword(fixture.deps, player.id);
  const [row] = await fixture.deps.pool.db.select().from(users).where(eq(users.id, player.id));
  return { ...player, email: row?.email ?? "" };
}

const selfRequest = async (fixture: Fixture): Promise<Happy> => {
  const { id, browser } = await fixture.player();
  return { browser, params: { id } };
};
const ownRequest: Prepare = async (fixture) => ({ browser: (await fixture.player()).browser });
const byAdminOnPlayer = async (fixture: Fixture): Promise<Happy & { params: { id: number } }> => ({
  browser: fixture.admin.browser,
  params: { id: (await fixture.player()).id },
});
const byAdminBecause = async (fixture: Fixture, reason: string): Promise<Happy> => ({
  ...(await byAdminOnPlayer(fixture)),
  body: { user: { reason } },
});
const mailRequest: Prepare = async (fixture) => ({
  browser: await signedOutClient(fixture.server),
  body: { user: { email: (await playerWithPassword(fixture)).email } },
});

/** The token of a link in a mail. */
async function issueMailToken(fixture: Fixture, kind: TokenKind): Promise<string> {
  const { id: userId, email } = await playerWithPassword(fixture);
  if (kind === "unlock") {
    await setRows(fixture.deps.pool.db, users, userId, {
      lockedAt: sql`clock_timestamp()`,
      failedAttempts: 20,
    });
  }
  return issueToken(fixture.deps.pool.db, fixture.deps.env, { userId, kind, email });
}

const openedLink =
  (kind: TokenKind, name: string): Prepare =>
  async (fixture) => ({ browser: fixture.signedOut, query: { [name]: await issueMailToken(fixture, kind) } });

export const happySignIns: Record<string, Prepare> = {
  signIn: async (fixture) => ({
    browser: await signedOutClient(fixture.server),
    body: { user: { email: (await playerWithPassword(fixture)).email, password: PASSWORD } },
  }),
  signOut: ownRequest,
  suggestGuest: (fixture) => Promise.resolve({ browser: fixture.signedOut }),
  playAsGuest: async ({ server }) => ({ browser: await signedOutClient(server) }),
  register: async ({ server }) => ({
    browser: await signedOutClient(server),
    body: {
      user: {
        email: "dana@example.test",
        username: "dana",
        password: NEW_PASSWORD,
        password_confirmation: NEW_PASSWORD,
        terms: true,
      },
    },
  }),
  askForPassword: mailRequest,
  askForConfirmation: mailRequest,
  askForUnlock: mailRequest,
  checkResetToken: openedLink("reset_password", "reset_password_token"),
  resetPassword: async (fixture) => ({
    browser: fixture.signedOut,
    body: {
      user: {
        reset_password_token: await issueMailToken(fixture, "reset_password"),
        password: NEW_PASSWORD,
        password_confirmation: NEW_PASSWORD,
      },
    },
  }),
  checkConfirmation: openedLink("confirm_email", "confirmation_token"),
  confirmEmail: async (fixture) => ({
    browser: fixture.signedOut,
    body: { user: { confirmation_token: await issueMailToken(fixture, "confirm_email") } },
  }),
  checkUnlock: openedLink("unlock", "unlock_token"),
  unlockByMail: async (fixture) => ({
    browser: fixture.signedOut,
    body: { user: { unlock_token: await issueMailToken(fixture, "unlock") } },
  }),
  showAccount: ownRequest,
  changeEmail: async (fixture) => ({
    browser: (await playerWithPassword(fixture)).browser,
    body: { user: { email: "new@example.test", current_password: PASSWORD } },
  }),
  changePassword: async (fixture) => ({
    browser: (await playerWithPassword(fixture)).browser,
    body: {
      user: { current_password: PASSWORD, password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD },
    },
  }),
  deactivateOwnAccount: async (fixture) => ({
    browser: (await playerWithPassword(fixture)).browser,
    body: { user: { current_password: PASSWORD } },
  }),
  endOtherSignIns: ownRequest,
  endSignIn: async (fixture) => {
    const { id, browser } = await fixture.player();
    await signedInClient(fixture.deps, fixture.server, { id });
    const { signIns } = await browser.read("/api/v1/users/me/account", accountAnswer);
    return { browser, params: { id: signIns.find(({ current }) => !current)?.id ?? "" } };
  },
};

export const happyUsers: Record<string, Prepare> = {
  listUsers: async ({ admin }) => ({ browser: admin.browser, query: { search: "player_", per_page: 2 } }),
  showOwnProfile: ownRequest,
  exportAccount: ownRequest,
  deleteAccount: async (fixture) => ({
    browser: (await playerWithPassword(fixture)).browser,
    body: { user: { current_password: PASSWORD } },
  }),
  showProfile: selfRequest,
  showRecords: selfRequest,
  changeGuest: async ({ guest }) => ({
    browser: guest.browser,
    body: { user: { username: "zoe_9", face: 7 } },
  }),
  updateProfile: async (fixture) => ({
    ...(await selfRequest(fixture)),
    body: { user: { username: "cleo" } },
  }),
  unlockUser: (fixture) => byAdminBecause(fixture, "Asked on the phone"),
  deactivateUser: (fixture) => byAdminBecause(fixture, "Asked for it"),
  reactivateUser: async (fixture) => {
    const happy = await byAdminOnPlayer(fixture);
    const order = { userId: happy.params.id, actor: fixture.admin, reason: null };
    await deactivateUser(fixture.deps, order);
    return { ...happy, body: { user: { reason: "A mistake" } } };
  },
  removeName: (fixture) => byAdminBecause(fixture, "Rude"),
  unlinkUser: (fixture) => byAdminBecause(fixture, "Has a new account at work"),
  mergeUser: async (fixture) => {
    const { username } = await buildPlayer(fixture.deps);
    const id = await insertGuest(fixture.deps.pool.db, 10_000);
    const body = { user: { account: username, reason: "Asked at the desk" } };
    return { browser: fixture.admin.browser, params: { id }, body };
  },
  changeRoles: async (fixture) => ({
    ...(await byAdminOnPlayer(fixture)),
    body: { user: { roles: ["operator"] } },
  }),
  listNotifications: async (fixture) => ({ ...(await withNotification(fixture)), query: { limit: 10 } }),
  markNotificationsRead: async (fixture) => ({
    ...(await withNotification(fixture)),
    body: { notifications: { up_to_id: 1 } },
  }),
  clearNotifications: (fixture) => withNotification(fixture),
  announce: async ({ admin }) => ({
    browser: admin.browser,
    body: { announcement: { title: "Tonight at eight", body: "The derby is on." } },
  }),
};

async function withNotification(fixture: Fixture): Promise<Happy> {
  const { id, browser } = await fixture.player();
  await writeNotifications(fixture.deps.pool.db, [
    { userId: id, kind: "announcement", title: "Hello", body: "", url: null },
  ]);
  return { browser, params: { id } };
}

async function startPayment(fixture: Fixture): Promise<{ player: TestUser; payment: PaymentView }> {
  const player = await fixture.player();
  const { body } = await player.browser.send("POST", "/api/v1/payments", { payment: { amount: 20 } });
  return { player, payment: v.parse(paymentAnswer, body).payment };
}

export const happyMoney: Record<string, Prepare> = {
  showWallet: selfRequest,
  adjustWallet: async (fixture) => ({
    ...(await byAdminOnPlayer(fixture)),
    body: { adjustment: { amount: 2.5, reason: "For the trouble" } },
  }),
  topUpWallet: async (fixture) => {
    const { id, browser } = await fixture.player({ balanceCents: 0 });
    return { browser, params: { id } };
  },
  exportTransactions: ownRequest,
  listTransactions: ownRequest,
  receiveWebhook: async (fixture) => {
    const body = about((await startPayment(fixture)).payment);
    const headers = { [SIGNATURE_HEADER]: signWebhook(body, WEBHOOK_SECRET, new Date()) };
    return { browser: fixture.signedOut, bytes: { body, headers } };
  },
  createPayment: async (fixture) => ({ ...(await ownRequest(fixture)), body: { payment: { amount: 20 } } }),
  listPayments: async (fixture) => ({ browser: (await startPayment(fixture)).player.browser }),
  showPayment: async (fixture) => {
    const { player, payment } = await startPayment(fixture);
    return { browser: player.browser, params: { reference: payment.reference } };
  },
  endCheckout: async (fixture) => {
    const { player, payment } = await startPayment(fixture);
    return { browser: player.browser, params: { reference: payment.reference } };
  },
  endTestCheckout: async (fixture) => {
    const { player, payment } = await startPayment(fixture);
    const params = { reference: payment.reference };
    return { browser: player.browser, params, body: { payment: { outcome: "succeeded" } } };
  },
  returnUnused: async (fixture) => {
    const { player, payment } = await startPayment(fixture);
    await postSigned(fixture.server, about(payment), WEBHOOK_SECRET);
    return { browser: player.browser, params: { reference: payment.reference } };
  },
  showSpending: ownRequest,
  setDepositLimit: async (fixture) => ({
    ...(await ownRequest(fixture)),
    params: { days: 7 },
    body: { limit: { amount: 20 } },
  }),
  beginBreak: async (fixture) => ({ ...(await ownRequest(fixture)), body: { break: { period: "day" } } }),
  lengthenBreak: async (fixture) => {
    const { id, browser } = await fixture.player();
    await browser.send("PUT", "/api/v1/spending/break", { break: { period: "day" } });
    const body = { break: { period: "week", reason: "Asked by mail" } };
    return { browser: fixture.admin.browser, params: { id }, body };
  },
  showStatement: ownRequest,
  exportStatement: ownRequest,
  showSiteSpending: ({ admin: { browser } }) => Promise.resolve({ browser }),
  refundPayment: async (fixture) => {
    const { payment } = await startPayment(fixture);
    await postSigned(fixture.server, about(payment), WEBHOOK_SECRET);
    const params = { reference: payment.reference };
    return { browser: fixture.admin.browser, params, body: { refund: { amount: 5, reason: "Paid twice" } } };
  },
  closePaymentFlag: async (fixture) => {
    const unknown = messageOf({ reference: "no-such-payment", amountCents: 100 });
    await postSigned(fixture.server, unknown, WEBHOOK_SECRET);
    const [flag] = await fixture.deps.pool.db.select().from(paymentFlags).limit(1);
    const params = { id: only(flag === undefined ? [] : [flag]).id };
    return { browser: fixture.admin.browser, params, body: { payment_flag: { note: "Asked the provider" } } };
  },
};

const TOKENS = "/api/v1/users/me/access_tokens";
const newToken = {
  access_token: { name: "Scoreboard", scope: "run", valid_days: 30, current_password: PASSWORD },
};

async function tokenOwner({ deps, server }: Fixture) {
  const admin = await buildAdmin(deps);
  await givePassword(deps, admin.id);
  return signedInClient(deps, server, admin);
}

async function withToken(fixture: Fixture) {
  const browser = await tokenOwner(fixture);
  const { body: answer } = await browser.send("POST", TOKENS, newToken);
  return { browser, id: v.parse(newAccessTokenAnswer, answer).accessToken.id };
}

export const happyAccessTokens: Record<string, Prepare> = {
  listAccessTokens: async (fixture) => ({ browser: (await withToken(fixture)).browser }),
  makeAccessToken: async (fixture) => ({ browser: await tokenOwner(fixture), body: newToken }),
  revokeAccessToken: async (fixture) => {
    const { browser, id } = await withToken(fixture);
    return { browser, params: { id } };
  },
};

/** The same address in every record of examples. */
const ENDPOINT = "https://push.example.com/send/Zm9vdGJhbGw";

const subscriptionOf = (endpoint: string) => {
  const { sessionLive, ...subscription } = new PushBrowser(endpoint).subscription();
  return { push_subscription: { ...subscription, session_live: sessionLive } };
};

export const happyPush: Record<string, Prepare> = {
  listPushSubscriptions: async (fixture) => {
    const { browser, params } = await subscribed(fixture);
    return { browser, params: { id: params.id } };
  },
  savePushSubscription: async (fixture) => {
    const { id, browser } = await fixture.player();
    return { browser, params: { id }, body: subscriptionOf(`${ENDPOINT}${id}`) };
  },
  removePushSubscription: subscribed,
};

async function subscribed(
  fixture: Fixture,
): Promise<Happy & { params: { id: number; subscriptionId: number } }> {
  const { id, browser } = await fixture.player();
  const path = `/api/v1/users/${id}/push_subscriptions`;
  const { body } = await browser.send("PUT", path, subscriptionOf(`${ENDPOINT}${id}`));
  const { pushSubscription } = v.parse(pushSubscriptionAnswer, body);
  return { browser, params: { id, subscriptionId: pushSubscription.id } };
}

const PATH = "/api/v1/users/me/passkeys";
const currentPassword = { passkey: { current_password: PASSWORD } };

async function passkeyOwner(fixture: Fixture): Promise<TestUser> {
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
  const { browser } = await passkeyOwner(fixture);
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
  askForPasskey: async (fixture) => ({
    browser: (await passkeyOwner(fixture)).browser,
    body: currentPassword,
  }),
  addPasskey: async (fixture) => {
    const { browser } = await passkeyOwner(fixture);
    return { browser, body: (await createPasskey(browser)).body };
  },
  askToConfirmByPasskey: async (fixture) => ({ browser: (await withPasskey(fixture)).browser }),
  renamePasskey: async (fixture) => {
    const { browser, params } = await withPasskey(fixture);
    return { browser, params, body: { passkey: { name: "Old phone" } } };
  },
  removePasskey: withPasskey,
};
