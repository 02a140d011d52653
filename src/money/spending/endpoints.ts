import { wholeCentsOf } from "#src/http/money.ts";
import { rates } from "#src/http/rates.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { beginBreak, lengthenBreak, presentBreak } from "./break.ts";
import { changeLimit, findSpending, requirePayments } from "./find-spending.ts";
import {
  breakAnswer,
  breakBody,
  limitBody,
  longerBreakBody,
  periodQuery,
  siteSpendingAnswer,
  spendingAnswer,
  statementAnswer,
} from "./schemas.ts";
import { showSiteSpending, showStatement, writeStatement } from "./statement.ts";

const onlyWithPayments = "Not found where payments are off.";

/** What keeps spending fair: limits for deposits, breaks, and sums. */
export const spendingEndpoints = {
  showSpending: endpoint({
    route: "GET /api/v1/spending",
    summary: "Shows the viewer's limits, break, and sums",
    notes: onlyWithPayments,
    who: "viewer",
    token: "none",
    answer: spendingAnswer,
    handle: async (deps, { viewer, request }) => ({
      spending: await findSpending(deps, { userId: viewer.id, request }),
    }),
  }),
  setDepositLimit: endpoint({
    route: "PUT /api/v1/spending/limits/:days",
    summary: "Sets the viewer's own limit for deposits within 1, 7 or 30 days",
    notes: `A first or lower limit holds at once. A higher one, or none, holds once it is asked for again after 24 hours. Refunded deposits do not count, open checkouts do. ${onlyWithPayments}`,
    who: "account",
    params: { days: "text" },
    body: { limit: limitBody },
    answer: spendingAnswer,
    handle: async (deps, { viewer, params, body, request }) => {
      const { amount } = body.limit;
      const amountCents = amount === null ? null : wholeCentsOf(amount);
      await changeLimit(deps, { userId: viewer.id, days: params.days, amountCents });
      return { spending: await findSpending(deps, { userId: viewer.id, request }) };
    },
  }),
  beginBreak: endpoint({
    route: "PUT /api/v1/spending/break",
    summary: "Begins a break from calls and deposits",
    notes: `Nobody can end it early. Open calls stay, and are paid. ${onlyWithPayments}`,
    who: "viewer",
    rate: rates.pay,
    body: { break: breakBody },
    answer: breakAnswer,
    refusals: { on_break: "A break lasts as long already." },
    handle: async (deps, { viewer, body }) => {
      requirePayments(deps.env);
      return { break: presentBreak(await beginBreak(deps, { userId: viewer.id, ...body.break })) };
    },
  }),
  lengthenBreak: endpoint({
    route: "PUT /api/v1/users/:id/break",
    summary: "Lengthens a player's break",
    notes: `It begins now. Breaks are never shortened. ${onlyWithPayments}`,
    who: "admin",
    body: { break: longerBreakBody },
    answer: breakAnswer,
    refusals: {
      on_break: "The break lasts as long already.",
      conflict: { status: 409, when: "The player is on no break." },
    },
    handle: async (deps, { viewer: actor, params, body }) => {
      requirePayments(deps.env);
      return { break: presentBreak(await lengthenBreak(deps, { actor, userId: params.id, ...body.break })) };
    },
  }),
  showStatement: endpoint({
    route: "GET /api/v1/spending/statement",
    summary: "Shows what was paid in, won and lost in a period",
    notes: `Days are those of UTC. By default this month. ${onlyWithPayments}`,
    who: "viewer",
    token: "none",
    query: periodQuery.entries,
    answer: statementAnswer,
    handle: async (deps, { viewer, query, now }) => {
      requirePayments(deps.env);
      return { statement: await showStatement(deps.pool.db, { userId: viewer.id, query, now }) };
    },
  }),
  exportStatement: endpoint({
    route: "GET /api/v1/spending/statement.csv",
    summary: "Exports the same sums as a CSV file",
    notes: onlyWithPayments,
    who: "viewer",
    token: "none",
    query: periodQuery.entries,
    answer: "file",
    handle: async (deps, { viewer, query, now }) => {
      requirePayments(deps.env);
      return writeStatement(await showStatement(deps.pool.db, { userId: viewer.id, query, now }));
    },
  }),
  showSiteSpending: endpoint({
    route: "GET /api/v1/spending/site",
    summary: "Shows the sums of all players: deposits and breaks by day, and how many are at their limit",
    notes: onlyWithPayments,
    who: "staff",
    answer: siteSpendingAnswer,
    handle: async (deps) => {
      requirePayments(deps.env);
      return { site: await showSiteSpending(deps.pool.db, deps.env.spending.siteLimitCents) };
    },
  }),
};
