import { expect, test } from "bun:test";
import path from "node:path";
import { renderToStaticMarkup } from "react-dom/server";
import { CallPill } from "#client/calls/call-pill.tsx";
import { RefundCause } from "#client/calls/refund-cause.tsx";
import { notificationIcon } from "#client/notifications/show-notification.ts";
import { statePill } from "#client/running-order/state-pill.tsx";
import * as dryRunTexts from "#client/screens/dry-run/dry-run-texts.ts";
import { mailName } from "#client/screens/operations/work-panels.tsx";
import * as replayTexts from "#client/screens/replay/actions-table.tsx";
import { sharedTexts, shareButtonText, sharesTexts } from "#client/share/share-texts.ts";
import { startHint } from "#client/ui/start-texts.ts";
import { switchLabel } from "#src/base/switches/contract.ts";
import { allows } from "#src/http/contract.ts";
import { periodLabel, sumLabel } from "#src/money/spending/contract.ts";
import { presentTransaction } from "#src/money/wallet/list-transactions.ts";
import { scopeLabel } from "#src/people/access-tokens/contract.ts";
import { viewerIn } from "#src/people/sign-ins/viewer.ts";
import { callStateLabel } from "#src/play/calls/contract.ts";
import {
  autoResultLabel,
  eventStateLabel,
  eventTransitions,
  startModeLabel,
} from "#src/show/events/contract.ts";
import { sessionStateLabel, sessionTransitions } from "#src/show/sessions/contract.ts";
import { formatLabel, kindLabel } from "#src/webhooks/contract.ts";

/** A word that a newer release has added to a list, as a row or an answer brings it. */
function newer<Word extends string>(): Word {
  const word: Word = JSON.parse('"of_a_newer_release"');
  return word;
}

const PLAIN = "of a newer release";
const containsIt = expect.stringContaining(PLAIN);

/** What is shown or allowed, and what it is. */
type Reading = readonly [shown: () => unknown, expected: unknown];

const money = "An older release must stop rather than guess what happens to money.";
const notLookedUp = "Nothing is looked up by it.";

/** What becomes of a row with a word that only a newer release knows, for each list; or why nothing is made of it. */
const lists: Record<string, readonly Reading[] | string> = {
  webhookFormats: [[() => formatLabel(newer()), PLAIN]],
  webhookKinds: [[() => kindLabel(newer()), PLAIN]],
  eventChanges: "A message of the outbox: src/live/relay reads another one as an update.",
  sessionChanges: "A message of the outbox: src/live/relay reads another one as an update.",
  programScopes: notLookedUp,
  tokenScopes: [[() => scopeLabel(newer()), PLAIN]],
  accountKinds: money,
  playerAccountKinds: notLookedUp,
  switchNames: [[() => switchLabel(newer()), PLAIN]],
  auditSubjects: "tests/database/stored-json.test.ts reads it.",
  avatarSquares: "tests/database/stored-json.test.ts reads it.",
  avatarSizes: "tests/database/stored-json.test.ts reads it.",
  callStates: [
    [() => callStateLabel(newer()), PLAIN],
    [() => renderToStaticMarkup(<CallPill call={{ outcome: null, state: newer() }} />), containsIt],
  ],
  endedCallStates: notLookedUp,
  outcomes: [
    [() => sharedTexts.endLabel(newer()), PLAIN],
    [() => renderToStaticMarkup(<CallPill call={{ outcome: newer(), state: "resolved" }} />), containsIt],
  ],
  refundCauses: [
    [() => renderToStaticMarkup(refundCause({ refundedBy: newer() })), containsIt],
    [() => memoOf({ kind: "refund", refundedBy: newer() }), "of a newer release: Will it rain?"],
  ],
  refundReasons: [[() => renderToStaticMarkup(refundCause({ refundReason: newer() })), containsIt]],
  dryRunStates: [[() => dryRunTexts.stateLabel(newer()), PLAIN]],
  unfinishedDryRunStates: notLookedUp,
  dryRunFailures: [[() => dryRunTexts.failureText(newer()), PLAIN]],
  eventStates: [
    [() => eventStateLabel(newer()), PLAIN],
    [() => replayTexts.stateLabel(newer()), PLAIN],
    [() => statePill(newer()), { icon: "none", tone: "plain" }],
    [() => allows(eventTransitions, "open_event", newer()), false],
  ],
  liveEventStates: notLookedUp,
  resultEventStates: notLookedUp,
  results: money,
  startModes: [
    [() => startModeLabel(newer()), PLAIN],
    [() => startHint(newer()), PLAIN],
  ],
  untimedStartModes: notLookedUp,
  autoResults: [[() => autoResultLabel(newer()), PLAIN]],
  timedTransitions: "Its alarm is left to a process that knows the transition.",
  journalKinds: notLookedUp,
  settlingKinds: notLookedUp,
  explainedKinds: notLookedUp,
  // The mail itself stays due: a process that knows its kind sends it.
  mailKinds: [[() => mailName(newer()), PLAIN]],
  tokenKinds: notLookedUp,
  notificationKinds: [[() => notificationIcon(newer()), "info"]],
  pushSubjects: "A push message about what is not known here is dropped (src/people/push/deliver-push.ts).",
  paymentStates: money,
  depositedStates: notLookedUp,
  chargebackCauses: money,
  chargebackStates: money,
  breakPeriods: [[() => periodLabel(newer()), PLAIN]],
  limitDays: notLookedUp,
  statementSums: [[() => sumLabel(newer()), PLAIN]],
  bookedChargebackStates: notLookedUp,
  flagCodes: notLookedUp,
  reactionKinds: "Nothing of it is stored.",
  logKinds: "tests/database/stored-json.test.ts reads it.",
  sessionStates: [
    [() => sessionStateLabel(newer()), PLAIN],
    [() => allows(sessionTransitions, "start", newer()), false],
  ],
  registrationStates: notLookedUp,
  shareKinds: [
    [() => sharesTexts.kindLabel(newer()), PLAIN],
    [() => shareButtonText(newer()), PLAIN],
  ],
  seasonStates: "It follows from the dates.",
  queueNames: "They are in Redis alone.",
  sides: money,
  spotStates: notLookedUp,
  totalNames: notLookedUp,
  roles: [[() => rolesOf(["admin", newer()]), ["admin"]]],
  transactionKinds: [
    [() => memoOf({ kind: newer(), refundedBy: null }), "of a newer release: Will it rain?"],
  ],
};

function refundCause(call: Partial<Parameters<typeof RefundCause>[0]["call"]>) {
  return <RefundCause call={{ refundedBy: null, refundReason: null, ...call }} />;
}

type Transaction = Parameters<typeof presentTransaction>[0];

function memoOf(row: Pick<Transaction, "kind" | "refundedBy">): string {
  return presentTransaction({
    id: "1",
    amountCents: 100,
    balanceAfterCents: 100,
    heldAfterCents: 0,
    availableAfterCents: 100,
    callId: 1,
    eventId: 1,
    sessionId: 1,
    paymentId: null,
    eventTitle: "Will it rain?",
    reason: null,
    owed: false,
    outcome: null,
    createdAt: new Date(),
    ...row,
  }).memo;
}

function rolesOf(roles: string[]): readonly string[] {
  const user = {
    userId: "1",
    email: null,
    username: "ana",
    avatar: null,
    guest: false,
    createdAt: new Date(),
  };
  return viewerIn({ ...user, roles, hostOf: [], breakUntil: null }).roles;
}

/** The lists of `db/lists`. Limits and the format of an address stand there too, and have no words. */
async function listNames(): Promise<string[]> {
  const folder = path.join(import.meta.dir, "../../db/lists");
  const names: string[] = [];
  for await (const file of new Bun.Glob("*.ts").scan(folder)) {
    const exported: object = await import(path.join(folder, file));
    for (const [name, value] of Object.entries(exported)) if (Array.isArray(value)) names.push(name);
  }
  return names.toSorted();
}

test("every list says what becomes of a row with a word that only a newer release knows", async () => {
  const found = await listNames();
  const missing = found.filter((name) => lists[name] === undefined);
  const gone = Object.keys(lists).filter((name) => !found.includes(name));
  const howTo = "Add the list here with what its words are looked up by, or with the reason why it has none.";
  expect({ missing, gone, howTo }).toEqual({ missing: [], gone: [], howTo });
});

for (const [name, readings] of Object.entries(lists)) {
  if (typeof readings === "string") continue;
  test(`a word that is new in ${name} is shown as plain text, and allows nothing`, () => {
    for (const [shown, expected] of readings) expect(shown()).toEqual(expected);
  });
}
