import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import { readBody } from "#src/http/read-body.ts";
import { askForEmailChange } from "./ask-for-email-change.ts";
import { dropSignIn } from "./carry-sign-in.ts";
import { changePassword } from "./change-password.ts";
import { emailChangeBody, ownPasswordBody, passwordChangeBody } from "./contract.ts";
import { deactivateOwnAccount } from "./deactivate-own-account.ts";
import { endOtherSignIns, endOwnSignIn } from "./end-own-sign-ins.ts";
import { findAccount } from "./find-account.ts";
import { requireAccount } from "./require-viewer.ts";
import type { Visit } from "./visit.ts";
import { visiting } from "./visiting.ts";

/** The own account: address, password, sign-ins. Guests have none yet. */
export function accountRoutes(deps: Deps) {
  const change = async (visit: Visit) => {
    const viewer = requireAccount(visit);
    await limitRate(deps, rates.changeAccount, visit);
    return { viewer, signInId: visit.signInId };
  };
  return new Elysia({ name: "account" })
    .use(visiting(deps))
    .get("/api/v1/users/me/account", async ({ visit }) => {
      const { id: userId } = requireAccount(visit);
      return findAccount(deps.pool.db, { userId, signInId: visit.signInId });
    })
    .put("/api/v1/users/me/email", async ({ body, visit }) => {
      const who = await change(visit);
      const form = readBody(body, "user", emailChangeBody);
      return { message: await askForEmailChange(deps, { ...who, form }) };
    })
    .put("/api/v1/users/me/password", async ({ body, visit }) => {
      const who = await change(visit);
      const form = readBody(body, "user", passwordChangeBody);
      return { message: await changePassword(deps, { ...who, form }) };
    })
    .put("/api/v1/users/me/deactivate", async ({ request, body, visit, set }) => {
      const who = await change(visit);
      await deactivateOwnAccount(deps, { ...who, ...readBody(body, "user", ownPasswordBody) });
      dropSignIn(deps.env, request);
      set.status = 204;
    })
    .delete("/api/v1/users/me/sign_ins", async ({ visit, set }) => {
      const { id: userId } = requireAccount(visit);
      await endOtherSignIns(deps, { userId, signInId: visit.signInId });
      set.status = 204;
    })
    .delete("/api/v1/users/me/sign_ins/:id", async ({ params, visit, set }) => {
      const { id: userId } = requireAccount(visit);
      await endOwnSignIn(deps, { userId, signInId: params.id });
      set.status = 204;
    });
}
