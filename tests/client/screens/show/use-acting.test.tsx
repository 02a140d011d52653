import { expect, jest, test } from "bun:test";
import { act, useLayoutEffect } from "react";
import { createRoot } from "react-dom/client";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { AppContext } from "#client/base/page/context.ts";
import { type Acting, useActing } from "#client/screens/show/running/use-acting.ts";
import { buildEvent, buildPage, inSeconds } from "#tests/client/events/action-states.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

afterFile(openDom());

const nothing = () => undefined;
const events = [buildEvent({ id: 11, state: "closed" }), buildEvent({ id: 12 })];
const room = { slug: "derby", events, fetchedAt: inSeconds(0), refetch: nothing, learn: nothing };
const stale = () => Response.json({ error: "Stale", code: "stale_version" }, { status: 412 });
const api = createApi({
  inProcess: false,
  carry: overHttp({ csrfToken: "token", send: () => Promise.resolve(stale()) }),
});

/** What the hook has returned last. */
const latest: { acting: Acting | null } = { acting: null };
function Room() {
  const acting = useActing(room);
  useLayoutEffect(() => {
    latest.acting = acting;
  });
  return null;
}

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

const SHOWN_MS = 10_000;
const TEXT = "It changed at that moment. Look at it, then do it again.";

test.each([
  [
    "of an action names it, and goes after ten seconds",
    { intent: "resolve", event_id: "12" },
    `Action 2: ${TEXT}`,
    null,
  ],
  ["of what is filled in stays", { intent: "update", event_id: "12", title: "New" }, TEXT, TEXT],
])("a refusal %s", async (_, fields, text, later) => {
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  const router = createMemoryRouter([{ path: "*", element: <Room /> }]);
  const page = { page: buildPage(), api };
  await act(async () =>
    root.render(
      <AppContext value={page}>
        <RouterProvider router={router} />
      </AppContext>,
    ),
  );
  jest.useFakeTimers();
  try {
    await act(async () => expect(await latest.acting?.act(formOf(fields))).toBe(false));
    act(() => void jest.advanceTimersByTime(SHOWN_MS - 1));
    expect(latest.acting?.refusal).toBe(text);
    act(() => void jest.advanceTimersByTime(1));
    expect(latest.acting?.refusal ?? null).toBe(later);
  } finally {
    jest.useRealTimers();
    act(() => root.unmount());
  }
});
