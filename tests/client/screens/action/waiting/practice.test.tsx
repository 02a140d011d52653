import { expect, jest, test } from "bun:test";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { useSpoken } from "#client/results/spoken.ts";
import { waitingParts } from "#client/screens/action/waiting/waiting-room.tsx";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

afterFile(openDom());
afterTest(() => void jest.useRealTimers());

const { PracticeSides } = waitingParts;
const group = { current: null };
/** Longer than a practice call waits for its result. */
const TOLD_MS = 2_000;

/** What screen readers hear. */
function Spoken() {
  return (
    <p>
      {useSpoken()
        .map(({ text }) => text)
        .join()}
    </p>
  );
}

function Page({ isWaiting }: { isWaiting: boolean }) {
  return (
    <>
      {isWaiting ? <PracticeSides group={group} /> : null}
      <Spoken />
    </>
  );
}

test("a practice result is told, but not once the show has begun: then nothing is left of what was called", () => {
  jest.useFakeTimers();
  const root = createRoot(document.body);
  const show = (isWaiting: boolean) => act(() => root.render(<Page isWaiting={isWaiting} />));
  const later = () => act(() => void jest.advanceTimersByTime(TOLD_MS));
  const call = () => act(() => document.querySelector<HTMLButtonElement>(".side.true")?.click());
  const spoken = () => document.querySelector("p")?.textContent;
  show(true);
  call();
  show(false);
  later();
  expect(spoken()).toBe("");
  show(true);
  expect(document.querySelectorAll("[aria-checked=true]")).toHaveLength(0);
  call();
  later();
  expect(spoken()).toMatch(/^Practice: .*(You would have won|It went the other way)\.$/);
  act(() => root.unmount());
});
