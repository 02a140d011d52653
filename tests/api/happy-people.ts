import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { paymentFlags } from "#db/schema/payments.ts";
import { users } from "#db/schema/users.ts";
import { writeNotifications } from "#src/notifications/write-notifications.ts";
import { paymentAnswer, type PaymentView } from "#src/payments/schemas.ts";
import { SIGNATURE_HEADER, signWebhook } from "#src/payments/signature.ts";
import { deactivateUser } from "#src/users/deactivate-user.ts";
import { issueToken, type TokenKind } from "#src/users/issue-token.ts";
import { accountAnswer } from "#src/users/schemas.ts";
import { about, messageOf, postSigned } from "#tests/payments/webhook.ts";
import { announce, announcementOf, upload } from "#tests/storage/uploads.ts";
import { only } from "#tests/support/build.ts";
import { visitAs, visitSignedOut } from "#tests/support/visitor.ts";
import { givePassword, PASSWORD } from "#tests/users/person.ts";
import { type Happy, type Prepare, type Somebody, type Stage, WEBHOOK_SECRET } from "./stage.ts";

const NEW_PASSWORD = "nine green ladders";
const BYTES = new TextEncoder().encode("I called it.");

/** A player with a password. */
async function member(stage: Stage): Promise<Somebody & { email: string }> {
  const player = await stage.player();
  await givePassword(stage.deps, player.id);
  const [row] = await stage.deps.pool.db.select().from(users).where(eq(users.id, player.id));
  return { ...player, email: row?.email ?? "" };
}

const self = async (stage: Stage): Promise<Happy> => {
  const { id, browser } = await stage.player();
  return { browser, params: { id } };
};
const own: Prepare = async (stage) => ({ browser: (await stage.player()).browser });
const byAdmin = async (stage: Stage): Promise<Happy & { params: { id: number } }> => ({
  browser: stage.admin.browser,
  params: { id: (await stage.player()).id },
});
const mail: Prepare = async (stage) => ({
  browser: await visitSignedOut(stage.server),
  body: { user: { email: (await member(stage)).email } },
});

/** A secret out of a mail. */
async function secretFor(stage: Stage, kind: TokenKind): Promise<string> {
  const { id: userId, email } = await member(stage);
  if (kind === "unlock") {
    await stage.deps.pool.db
      .update(users)
      .set({ lockedAt: sql`clock_timestamp()`, failedAttempts: 20 })
      .where(eq(users.id, userId));
  }
  return issueToken(stage.deps.pool.db, stage.deps.env, { userId, kind, email });
}

export const happySignIns: Record<string, Prepare> = {
  signIn: async (stage) => ({
    browser: await visitSignedOut(stage.server),
    body: { user: { email: (await member(stage)).email, password: PASSWORD } },
  }),
  signOut: own,
  playAsGuest: async ({ server }) => ({ browser: await visitSignedOut(server) }),
  register: async ({ server }) => ({
    browser: await visitSignedOut(server),
    body: {
      user: {
        email: "dana@example.test",
        username: "dana",
        password: NEW_PASSWORD,
        password_confirmation: NEW_PASSWORD,
      },
    },
  }),
  askForPassword: mail,
  askForConfirmation: mail,
  askForUnlock: mail,
  checkResetToken: async (stage) => ({
    browser: stage.out,
    query: { reset_password_token: await secretFor(stage, "reset_password") },
  }),
  resetPassword: async (stage) => ({
    browser: stage.out,
    body: {
      user: {
        reset_password_token: await secretFor(stage, "reset_password"),
        password: NEW_PASSWORD,
        password_confirmation: NEW_PASSWORD,
      },
    },
  }),
  confirmEmail: async (stage) => ({
    browser: stage.out,
    query: { confirmation_token: await secretFor(stage, "confirm_email") },
  }),
  unlockByMail: async (stage) => ({
    browser: stage.out,
    query: { unlock_token: await secretFor(stage, "unlock") },
  }),
  showAccount: own,
  changeEmail: async (stage) => ({
    browser: (await member(stage)).browser,
    body: { user: { email: "new@example.test", current_password: PASSWORD } },
  }),
  changePassword: async (stage) => ({
    browser: (await member(stage)).browser,
    body: {
      user: { current_password: PASSWORD, password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD },
    },
  }),
  deactivateOwnAccount: async (stage) => ({
    browser: (await member(stage)).browser,
    body: { user: { current_password: PASSWORD } },
  }),
  endOtherSignIns: own,
  endSignIn: async (stage) => {
    const { id, browser } = await stage.player();
    await visitAs(stage.deps, stage.server, { id });
    const { signIns } = v.parse(accountAnswer, (await browser.get("/api/v1/users/me/account")).body);
    return { browser, params: { id: signIns.find(({ current }) => !current)?.id ?? "" } };
  },
};

export const happyUsers: Record<string, Prepare> = {
  listUsers: async ({ admin }) => ({ browser: admin.browser, query: { search: "player_", per_page: 2 } }),
  showOwnProfile: own,
  showProfile: self,
  updateProfile: async (stage) => ({ ...(await self(stage)), body: { user: { username: "cleo" } } }),
  unlockUser: async (stage) => ({
    ...(await byAdmin(stage)),
    body: { user: { reason: "Asked on the phone" } },
  }),
  deactivateUser: async (stage) => ({
    ...(await byAdmin(stage)),
    body: { user: { reason: "Asked for it" } },
  }),
  reactivateUser: async (stage) => {
    const happy = await byAdmin(stage);
    const order = { userId: happy.params.id, actor: stage.admin, reason: null };
    await deactivateUser(stage.deps, order);
    return { ...happy, body: { user: { reason: "A mistake" } } };
  },
  changeRoles: async (stage) => ({ ...(await byAdmin(stage)), body: { user: { roles: ["operator"] } } }),
  listNotifications: async (stage) => ({ ...(await notified(stage)), query: { limit: 10 } }),
  markNotificationsRead: async (stage) => ({
    ...(await notified(stage)),
    body: { notifications: { up_to_id: 1 } },
  }),
  clearNotifications: (stage) => notified(stage),
  announce: async ({ admin }) => ({
    browser: admin.browser,
    body: { announcement: { title: "Tonight at eight", body: "The derby is on." } },
  }),
};

async function notified(stage: Stage): Promise<Happy> {
  const { id, browser } = await stage.player();
  await writeNotifications(stage.deps.pool.db, [
    { userId: id, kind: "announcement", title: "Hello", body: "", url: null },
  ]);
  return { browser, params: { id } };
}

/** A payment that was begun, and by whom. */
async function begun(stage: Stage): Promise<{ player: Somebody; payment: PaymentView }> {
  const player = await stage.player();
  const { body } = await player.browser.send("POST", "/api/v1/payments", { payment: { amount: 20 } });
  return { player, payment: v.parse(paymentAnswer, body).payment };
}

export const happyMoney: Record<string, Prepare> = {
  showWallet: self,
  adjustWallet: async (stage) => ({
    ...(await byAdmin(stage)),
    body: { adjustment: { amount: 2.5, reason: "For the trouble" } },
  }),
  topUpWallet: async (stage) => {
    const { id, browser } = await stage.player({ balanceCents: 0 });
    return { browser, params: { id } };
  },
  exportTransactions: own,
  listTransactions: own,
  receiveWebhook: async (stage) => {
    const body = about((await begun(stage)).payment);
    const headers = { [SIGNATURE_HEADER]: signWebhook(body, WEBHOOK_SECRET, new Date()) };
    return { browser: stage.out, bytes: { body, headers } };
  },
  createPayment: async (stage) => ({ ...(await own(stage)), body: { payment: { amount: 20 } } }),
  listPayments: async (stage) => ({ browser: (await begun(stage)).player.browser }),
  showPayment: async (stage) => {
    const { player, payment } = await begun(stage);
    return { browser: player.browser, params: { reference: payment.reference } };
  },
  endTestCheckout: async (stage) => {
    const { player, payment } = await begun(stage);
    const params = { reference: payment.reference };
    return { browser: player.browser, params, body: { payment: { outcome: "succeeded" } } };
  },
  refundPayment: async (stage) => {
    const { payment } = await begun(stage);
    await postSigned(stage.server, about(payment), WEBHOOK_SECRET);
    const params = { reference: payment.reference };
    return { browser: stage.admin.browser, params, body: { refund: { amount: 5, reason: "Paid twice" } } };
  },
  closePaymentFlag: async (stage) => {
    const unknown = messageOf({ reference: "no-such-payment", amountCents: 100 });
    await postSigned(stage.server, unknown, WEBHOOK_SECRET);
    const [flag] = await stage.deps.pool.db.select().from(paymentFlags).limit(1);
    const params = { id: only(flag === undefined ? [] : [flag]).id };
    return { browser: stage.admin.browser, params, body: { payment_flag: { note: "Asked the provider" } } };
  },
};

export const happyFiles: Record<string, Prepare> = {
  announceUpload: async (stage) => ({ ...(await own(stage)), body: { blob: announcementOf(BYTES) } }),
  storeUpload: async (stage) => {
    const { browser } = await stage.player();
    const { url, headers } = (await announce(browser, announcementOf(BYTES))).directUpload;
    const token = new URL(url).pathname.split("/").at(-1) ?? "";
    return { browser: stage.out, params: { token }, bytes: { body: BYTES, headers } };
  },
  showBlob: async (stage) => {
    const { browser } = await stage.player();
    return {
      browser: stage.out,
      params: { signedId: (await upload(stage.server, browser, BYTES)).signedId },
    };
  },
};
