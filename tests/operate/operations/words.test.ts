import { expect, test } from "bun:test";
import { describeJob, describeTimer } from "#client/screens/operations/describe-job.ts";
import type { FailedJobView } from "#src/operate/operations/schemas.ts";

const event = { id: 1, title: "Goal inside ten minutes?", sessionSlug: "derby" };
const close: FailedJobView = {
  queue: "transitions",
  id: "1",
  name: "close_event",
  event,
  lateMs: 4_300,
  isOpen: true,
  failedAt: "2026-11-21T20:14:00.000Z",
  attempts: 5,
  reason: "lock",
};

test("a failed job is a sentence, with how late it is", () => {
  expect(describeJob(close)).toBe("Close of “Goal inside ten minutes?”, 4 s late");
  expect(describeJob({ ...close, lateMs: 200 })).toContain(", less than 1 s late");
  expect(describeJob({ ...close, lateMs: 720_000 })).toContain(", 12 min late");
  expect(describeJob({ ...close, lateMs: 10_800_000 })).toContain(", 3 h late");
  expect(describeJob({ ...close, event: null })).toContain("Close of an event that is gone");
  expect(describeJob({ ...close, queue: "mails", name: "send_mail", event: null })).toBe("A mail, 4 s late");
  expect(describeJob({ ...close, queue: "new-ones", name: "do_it", event: null })).toBe("do it, 4 s late");
});

test("so is a late timer", () => {
  const timer = { event, transition: "resolve", dueAt: close.failedAt, lateMs: 5_000 } as const;
  expect(describeTimer(timer)).toBe("Result of “Goal inside ten minutes?”, 5 s late");
});
