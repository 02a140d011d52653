import { eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import type { SwitchName } from "#db/lists/switches.ts";
import { switchedOff } from "#db/schema/site.ts";
import { createBatcher } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import type { Env } from "#src/settings/env.ts";
import type { Closed } from "./contract.ts";

// Decision: no process keeps what is turned off. What a switch closes reads its row when it is asked for, in its own transaction where it has
// one, and a page reads it with all else (page-read-statement.ts). So a switch counts at once in every process, without Redis too.

const BATCH_MAX = 256;

const closedTexts: Readonly<Record<SwitchName, string>> = {
  registration: "The operator of this site has turned off registration.",
  guests: "The operator of this site has turned off playing as a guest. With an account you can play.",
  payments: "The operator of this site has turned off payments.",
  chat: "The operator of this site has turned off the chat. What was written stays.",
  uploads: "The operator of this site has turned off new pictures.",
};

const UNINVITED =
  "A new account needs an invitation here: the operator of this site gives out links to this page.";

/** 403: an admin, or a setting, has turned it off for the whole site. */
export const switchedOffRefusal = (name: SwitchName) => new Refusal(403, "switched_off", closedTexts[name]);

/** 403 for a new account without an invitation. */
export const notInvited = () => new Refusal(403, "not_invited", UNINVITED);

/** Refuses (403) what an admin has turned off for the whole site. */
export async function refuseSwitchedOff(db: Queryable, name: SwitchName): Promise<void> {
  if ((await db.$count(switchedOff, eq(switchedOff.name, name))) > 0) throw switchedOffRefusal(name);
}

/** The names of what is turned off. Requests of the same moment share one statement. */
export const findSwitchedOff = createBatcher(
  BATCH_MAX,
  async ({ pool }: Pick<Deps, "pool">, asked: readonly null[]) => {
    const rows = await pool.db.select({ name: switchedOff.name }).from(switchedOff);
    const names = rows.map(({ name }) => name);
    return asked.map(() => names);
  },
);

/** The settings that close something, by what they close. They win over the switches. */
export function closedBySetting({
  registration,
  oidc,
  payments,
}: Pick<Env, "registration" | "oidc" | "payments">): Partial<Record<SwitchName, string>> {
  const isOff = registration === "off";
  return {
    ...(isOff || oidc?.only === true ? { registration: isOff ? "REGISTRATION" : "OIDC_ONLY" } : {}),
    ...(payments.provider === "none" ? { payments: "STRIPE_SECRET_KEY" } : {}),
  };
}

/** What pages say of what is closed. @param off the names of what is turned off; one of a newer release closes nothing here. */
export function closedOf({ registration }: Pick<Env, "registration">, off: readonly string[]): Closed {
  const names = [...off, ...(registration === "off" ? ["registration"] : [])];
  const texts = Object.entries(closedTexts).filter(([name]) => names.includes(name));
  return {
    ...Object.fromEntries(texts),
    ...(registration === "invited" ? { uninvited: UNINVITED } : {}),
  };
}
