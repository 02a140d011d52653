import { expect, test } from "bun:test";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { CallState } from "#client/calls/call-pill.tsx";
import { StatePill } from "#client/running-order/state-pill.tsx";
import { disabledReasonForAct, disabledReasonForMove } from "#client/screens/show/running/disabled-reason.ts";
import { buildEvent, buildSession } from "#tests/client/events/action-states.ts";

/** The text that a reader sees. */
const textOf = (node: ReactNode) => renderToStaticMarkup(node).replaceAll(/<[^>]*>/g, "");

test("where states are listed, a call has its state too once it is settled or taken back", () => {
  const listed = [
    { state: "soft_destroyed", outcome: null },
    { state: "resolved", outcome: "won" },
    { state: "soft_destroyed", outcome: "refunded" },
    { state: "placed", outcome: null },
  ] as const;
  expect(listed.map((call) => textOf(<CallState call={call} />))).toEqual([
    "Taken backDestroyed",
    "WonResolved",
    "Refunded",
    "Placed",
  ]);
});

test("an event that is resolved is labelled by its result", () => {
  const shown = [true, false, null].map((result) =>
    textOf(<StatePill event={buildEvent({ state: "resolved", result, trueLabel: "Goal" })} />),
  );
  expect(shown).toEqual(["Goal", "No", "Void"]);
});

test("an action that the state does not allow is explained by its label", () => {
  const move = (name: "resolve" | "show", state: "hidden" | "resolved") =>
    disabledReasonForMove(buildSession(), buildEvent({ state }), name);
  expect(move("resolve", "hidden")).toBe(
    "Resolve is for open, closed or resolved actions. This one is hidden.",
  );
  expect(move("show", "resolved")).toBe("Show is for hidden actions. This one is resolved.");
  expect(disabledReasonForAct(buildSession(), buildEvent({ state: "resolved" }), "skip")).toBe(
    "Skip is for visible, open or closed actions. This one is resolved.",
  );
});
