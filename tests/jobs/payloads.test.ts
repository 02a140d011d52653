import { expect, test } from "bun:test";
import * as v from "valibot";
import { type JobKind, jobKinds, type JobPayload, queueDefinitions } from "#src/base/queues.ts";

/** What the first release with each queue has put into its jobs. They may wait while the product is updated. */
const payloads: { readonly [Kind in JobKind]: readonly JobPayload<Kind>[] } = {
  setAlarm: [{ eventId: 1, transition: "close_event", version: 2 }],
  paySettlement: [{ eventId: 1 }],
  sendMail: [{ mailId: 1 }],
  makeAvatar: [{ userId: 1, blobId: 2 }],
  drawPicture: [{ shareId: 1 }],
  performDryRun: [{ dryRunId: 1 }],
  deliverWebhook: [{ deliveryId: 1 }],
  fanOutPushes: [
    { about: "session", id: 1 },
    { about: "event", id: 1, fromUserId: 1, toUserId: 9 },
    { about: "notifications", ids: [1, 2] },
  ],
  sendPush: [{ subscriptionId: 1, about: "event", id: 1 }, { pushId: 1 }],
};

for (const kind of jobKinds) {
  test(`a job of ${kind} is read as an earlier release added it, and as a newer one may add it`, () => {
    const { payload } = queueDefinitions[kind];
    for (const data of payloads[kind]) {
      expect(v.parse(payload, data)).toEqual(data);
      expect(v.parse(payload, { ...data, ofANewerRelease: 1 })).toEqual(data);
    }
  });
}
