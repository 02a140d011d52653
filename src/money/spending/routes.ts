import type { Deps } from "#src/base/deps.ts";
import { wholeCentsOf } from "#src/http/money.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { beginBreak, lengthenBreak, presentBreak } from "./break.ts";
import { spendingEndpoints } from "./endpoints.ts";
import { changeLimit, findSpending, requirePayments } from "./find-spending.ts";
import { showSiteSpending, showStatement, writeStatement } from "./statement.ts";

/** Answers the endpoints of fair spending. */
export function spendingRoutes(deps: Deps) {
  const { env, pool } = deps;
  return serveEndpoints(spendingEndpoints, {
    showSpending: async ({ viewer, request }) => ({
      spending: await findSpending(deps, { userId: viewer.id, request }),
    }),
    setDepositLimit: async ({ viewer, params, body, request }) => {
      const { amount } = body.limit;
      const amountCents = amount === null ? null : wholeCentsOf(amount);
      await changeLimit(deps, { userId: viewer.id, days: params.days, amountCents });
      return { spending: await findSpending(deps, { userId: viewer.id, request }) };
    },
    beginBreak: async ({ viewer, body }) => {
      requirePayments(env);
      return { break: presentBreak(await beginBreak(deps, { userId: viewer.id, ...body.break })) };
    },
    lengthenBreak: async ({ viewer: actor, params, body }) => {
      requirePayments(env);
      return { break: presentBreak(await lengthenBreak(deps, { actor, userId: params.id, ...body.break })) };
    },
    showStatement: async ({ viewer, query, now }) => {
      requirePayments(env);
      return { statement: await showStatement(pool.db, { userId: viewer.id, query, now }) };
    },
    exportStatement: async ({ viewer, query, now }) => {
      requirePayments(env);
      return writeStatement(await showStatement(pool.db, { userId: viewer.id, query, now }));
    },
    showSiteSpending: async () => {
      requirePayments(env);
      return { site: await showSiteSpending(pool.db, env.spending.siteLimitCents) };
    },
  });
}
