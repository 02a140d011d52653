import { expect, test } from "bun:test";
import * as v from "valibot";
import { exampleOf } from "#src/api/examples.ts";

// The fields of every entity, written out as the specification names them and not taken from the product's schemas. They are in the
// recorded examples, whose form each answer has (walk.test.ts): a field that is renamed or left out fails one of the two.

const anObject = v.record(v.string(), v.unknown());

/** What is at a path of an example's answer; of a list, its first entry. */
function partOf(name: string, path: string): Record<string, unknown> {
  let part: unknown = exampleOf(name)?.answer;
  for (const step of path.split(".").filter(Boolean)) {
    const found = v.parse(anObject, part)[step];
    part = Array.isArray(found) ? found[0] : found;
  }
  return v.parse(anObject, part);
}

/** Every entity: the example that has it, its path in the answer, and its fields. */
const entities: [what: string, example: string, path: string, fields: string][] = [
  [
    "a user",
    "showProfile",
    "user",
    "id email gid avatar username phone createdAt updatedAt notificationCount notifications calls sessions wallet roles guest",
  ],
  ["an avatar", "showProfile", "user.avatar", "default thumb small medium large original"],
  ["a wallet", "showWallet", "wallet", "id balance availableBalance metrics held owed"],
  [
    "a wallet's metrics",
    "showWallet",
    "wallet.metrics",
    "wagered returned net roi pending callsPlaced won lost refunded winRate currentStreak bestStreak",
  ],
  ["a call", "listCalls", "calls", "id userId eventId state spotId wager outcome payout"],
  [
    "an event",
    "showEvent",
    "event",
    "id sessionId blueprintEventId position title description trueLabel falseLabel state result voided resultReason opensAt openedAt closesAt closedAt resolveBy resolvedAt publishedAt createdAt updatedAt durationSeconds minWager maxWager spots pool callsCount myCalls version",
  ],
  [
    "an event of a session",
    "showSessionEvent",
    "event",
    "id sessionId title trueLabel falseLabel state result publishedAt createdAt",
  ],
  [
    "a spot",
    "showEvent",
    "event.spots",
    "id eventId side label state callsCount pool won openedAt closedAt resolvedAt",
  ],
  [
    "a score",
    "listScores",
    "scores",
    "id userId username avatar sessionId wins losses pushes net roi accuracy currentStreak bestStreak rank rankChange",
  ],
  ["a payment", "listPayments", "payments", "id reference state amount provider checkoutUrl"],
  ["a notification", "listNotifications", "notifications", "id kind title body url readAt createdAt"],
  [
    "a result",
    "listResults",
    "results",
    "id callId eventId eventTitle sessionSlug side wager outcome payout net resolvedAt",
  ],
  [
    "a transaction",
    "listTransactions",
    "transactions",
    "id kind amount balanceAfter availableAfter callId eventId sessionId paymentId memo createdAt",
  ],
  [
    "a blueprint",
    "showBlueprint",
    "blueprint",
    "id name description defaults blueprintEvents sessionsCount createdAt updatedAt",
  ],
  [
    "a blueprint's event",
    "showBlueprint",
    "blueprint.blueprintEvents",
    "id blueprintId position title trueLabel falseLabel startMode offsetSeconds durationSeconds resolveWithinSeconds minWager maxWager autoResult",
  ],
  [
    "a session",
    "showSession",
    "session",
    "id slug name description state active startsAt startedAt pausedAt stoppedAt blueprintId eventsCount registrationsCount registered playersOnline settings version",
  ],
  ["a registration", "registerPlayer", "registration", "id sessionId userId displayName state createdAt"],
  ["a message", "listMessages", "messages", "id sessionId userId username avatar body createdAt deletedAt"],
  [
    "an announced upload",
    "announceUpload",
    "",
    "id signedId signed_id filename contentType byteSize checksum directUpload direct_upload",
  ],
  ["a list", "listCalls", "meta", "currentPage perPage serverTime totalCount totalPages"],
];

test.each(entities)("%s has its fields", (_, example, path, fields) => {
  const names = new Set(Object.keys(partOf(example, path)));
  expect(fields.split(" ").filter((name) => !names.has(name))).toEqual([]);
});
