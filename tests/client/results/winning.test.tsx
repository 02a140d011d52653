import { beforeEach, expect, test } from "bun:test";
import { createRoot, type Root } from "react-dom/client";
import { createMemoryRouter, RouterProvider } from "react-router";
import { createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { createStore, useStore } from "#client/base/browser/store.ts";
import { AppContext } from "#client/base/page/context.ts";
import { viewerCallsOn } from "#client/calls/viewer-calls.ts";
import { EventCard } from "#client/card/event-card.tsx";
import { currentEventAt } from "#client/events/current-event.ts";
import { usePlacing } from "#client/events/use-placing.ts";
import { ViewContext } from "#client/events/view.ts";
import { useAfterResult } from "#client/results/after-result.ts";
import { WalletProvider } from "#client/wallet/wallet-state.tsx";
import type { EventView } from "#src/show/events/schemas.ts";
import {
  buildActionState,
  buildCall,
  buildEvent,
  buildPage,
  buildViewer,
  buildWallet,
  inSeconds,
  NOW_MS,
} from "#tests/client/events/action-states.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { paidCall, resolvedEvent, won } from "./results.ts";

afterFile(openDom({ url: "http://localhost/sessions/derby" }));
// Frames and late code come when they do so in a browser.
Object.defineProperty(globalThis, "IS_REACT_ACT_ENVIRONMENT", { value: false, configurable: true });

const api = createApi({
  inProcess: false,
  carry: overHttp({ csrfToken: "token", send: async () => Response.json({}) }),
});
const shown = createStore<EventView | null>(null);
let root: Root;
/** All that the card has shown as the amount that was won or lost. */
let amounts: string[];
let watch: MutationObserver;
/** What the card has read of the code that announces results. It comes late, and writes there at once. */
let noted: Set<unknown>;

beforeEach(() => {
  [amounts, noted] = [[], new Set()];
  const page = document.createElement("main");
  document.body.replaceChildren(page);
  watch = new MutationObserver(noteAmount);
  watch.observe(page, { subtree: true, childList: true, characterData: true });
  root = createRoot(page);
});

afterTest(async () => {
  watch.disconnect();
  root.unmount();
  localStorage.clear();
  globalThis.matchMedia = matchMedia;
  await Bun.sleep(0);
});

const amount = () => document.querySelector(".result .net")?.textContent ?? "";
function noteAmount(): void {
  if (amount() !== "" && amount() !== amounts.at(-1)) amounts.push(amount());
}

const { matchMedia } = globalThis;
function preferLessMotion(): void {
  globalThis.matchMedia = (query) => {
    const answer = matchMedia(query);
    Object.defineProperty(answer, "matches", { value: query.includes("prefers-reduced-motion: reduce") });
    return answer;
  };
}

/** The card of a player who has called Yes, as the play screen shows it. */
function Card() {
  const event = useStore(shown);
  const placing = usePlacing(() => undefined);
  noted.add(useAfterResult());
  if (event === null) return null;
  const state = buildActionState([event]);
  const serverTime = inSeconds(0);
  const data = {
    events: [event],
    leaders: { leaders: [], me: null, exclusion: null, totalCount: 0 },
    active: null,
    serverTime,
  };
  return (
    <ViewContext
      value={{
        ...currentEventAt(state, NOW_MS),
        state,
        data: { ...data, formKey: "key", formCents: 100 },
        offline: false,
        refused: false,
        watching: false,
        breakUntil: null,
        playable: false,
        unread: false,
        closeWarning: "",
        viewerCalls: viewerCallsOn(event),
        placing,
        recall: () => undefined,
      }}
    >
      <EventCard waiting={null} />
    </ViewContext>
  );
}

/** Opens the card with this question on it; the code that announces results has come. */
async function open(event: EventView): Promise<void> {
  shown.set(event);
  const router = createMemoryRouter([{ path: "*", element: <Card /> }]);
  const page = { ...buildPage(), viewer: buildViewer() };
  root.render(
    <AppContext value={{ page, api }}>
      <WalletProvider loaded={buildWallet(1_000)}>
        <RouterProvider router={router} />
      </WalletProvider>
    </AppContext>,
  );
  // The page is used.
  globalThis.dispatchEvent(new Event("pointerup"));
  await waitFor("the code that announces results", () => noted.size > 1);
}
const called = buildEvent({ myCalls: [buildCall({ id: 100 })] });
const lost = resolvedEvent(1, { result: false, myCalls: [paidCall(1, 0)] });
const rightWithNo = resolvedEvent(1, {
  result: false,
  myCalls: [paidCall(1, 804, { side: "false" })],
});
/** The share of Yes that the bar of the pool shows. */
const share = () => document.querySelector<HTMLElement>(".pool .bar")?.style.getPropertyValue("--t");
const shows = (text: string) => untilPasses(() => expect(amount()).toBe(text));
const centsOf = (text: string) => Number(text.replace(/[+$.]/g, ""));

test("a win that comes while the page is open is counted up from nothing for 600 ms, and the pool flows to its side", async () => {
  await open(called);
  const startMs = performance.now();
  shown.set(won(1));
  await shows("+$3.04");
  // Of 600: the whole amount is there when less than a cent is left.
  expect(performance.now() - startMs).toBeGreaterThan(500);
  const cents = amounts.map(centsOf);
  expect([cents[0], cents.at(-1)]).toEqual([0, 304]);
  expect(cents.length).toBeGreaterThan(2);
  expect(cents).toEqual(cents.toSorted((one, other) => one - other));
  expect(share()).toBe("1.0000");
});

test("where less motion is preferred a win has its whole amount at once", async () => {
  preferLessMotion();
  await open(called);
  shown.set(rightWithNo);
  await shows("+$3.04");
  expect(amounts).toEqual(["+$3.04"]);
  expect(share()).toBe("0.0000");
});

test("a loss is not counted, and the pool stays as it was called", async () => {
  await open(called);
  shown.set(lost);
  await shows("-$5.00");
  expect(amounts).toEqual(["-$5.00"]);
  expect(share()).toBe("0.5000");
});

test("a win that the page came with is not counted again", async () => {
  await open(won(1));
  expect(amounts).toEqual(["+$3.04"]);
});
