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

/** Every entity: the example that has it and its path in the answer, and its fields. */
const entities: Record<string, string> = {
  "showProfile user":
    "id email gid avatar username phone createdAt updatedAt notificationCount notifications calls sessions wallet roles guest",
  "showProfile user.avatar": "default thumb small medium large original",
  "showWallet wallet": "id balance availableBalance metrics held owed",
  "showWallet wallet.metrics":
    "wagered returned net roi pending callsPlaced won lost refunded winRate currentStreak bestStreak",
  "listCalls calls": "id userId eventId state spotId wager outcome payout",
  "showEvent event":
    "id sessionId blueprintEventId position title description trueLabel falseLabel state result voided resultReason opensAt openedAt closesAt closedAt resolveBy resolvedAt publishedAt createdAt updatedAt durationSeconds minWager maxWager spots pool callsCount myCalls version",
  "showSessionEvent event": "id sessionId title trueLabel falseLabel state result publishedAt createdAt",
  "showEvent event.spots": "id eventId side label state callsCount pool won openedAt closedAt resolvedAt",
  "listScores scores":
    "id userId username avatar sessionId wins losses pushes net roi accuracy currentStreak bestStreak rank rankChange",
  "listPayments payments": "id reference state amount provider checkoutUrl",
  "listNotifications notifications": "id kind title body url readAt createdAt",
  "listResults results": "id callId eventId eventTitle sessionSlug side wager outcome payout net resolvedAt",
  "listTransactions transactions":
    "id kind amount balanceAfter availableAfter callId eventId sessionId paymentId memo createdAt",
  "showBlueprint blueprint": "id name description defaults blueprintEvents sessionsCount createdAt updatedAt",
  "showBlueprint blueprint.blueprintEvents":
    "id blueprintId position title trueLabel falseLabel startMode offsetSeconds durationSeconds resolveWithinSeconds minWager maxWager autoResult",
  "showSession session":
    "id slug name description state active startsAt startedAt pausedAt stoppedAt blueprintId eventsCount registrationsCount registered playersOnline settings version",
  "registerPlayer registration": "id sessionId userId displayName state createdAt",
  "listMessages messages": "id sessionId userId username avatar body createdAt deletedAt",
  announceUpload: "id signedId signed_id filename contentType byteSize checksum directUpload direct_upload",
  "listCalls meta": "currentPage perPage serverTime totalCount totalPages",
};

test.each(Object.entries(entities))("%s has its fields", (place, fields) => {
  const [example = "", path = ""] = place.split(" ");
  const names = new Set(Object.keys(partOf(example, path)));
  expect(fields.split(" ").filter((name) => !names.has(name))).toEqual([]);
});
