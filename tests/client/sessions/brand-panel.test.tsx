import { expect, test } from "bun:test";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { AppContext } from "#client/base/page/context.ts";
import { BrandPanel } from "#client/sessions/brand-panel.tsx";
import { inkOn, nearestAccent } from "#src/show/brands/contract.ts";
import { buildPage } from "#tests/client/events/action-states.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

afterFile(openDom());

test("a colour that does not hold offers the nearest, which one press takes, and the preview shows what players see", () => {
  const api = createApi({ inProcess: false, carry: overHttp({ csrfToken: "", send: fetch }) });
  const panel = (
    <BrandPanel
      brand={{ accent: "#0072b3" }}
      typed={{ accent: "#FFEE00", sponsor: "" }}
      errors={{}}
      version={1}
    />
  );
  const router = createBrowserRouter([{ path: "*", element: panel }]);
  const element = document.body.appendChild(document.createElement("div"));
  const root = createRoot(element);
  act(() =>
    root.render(
      <AppContext value={{ page: buildPage(), api }}>
        <RouterProvider router={router} />
      </AppContext>,
    ),
  );
  const typed = () => element.querySelector<HTMLInputElement>('input[name="accent"]')?.value;
  const preview = () => element.querySelector<HTMLElement>("[data-band]")?.style;
  const taken = () => element.querySelector<HTMLButtonElement>('button[name="nearest"]');
  const nearest = nearestAccent("#ffee00");
  expect([typed(), preview()?.background, preview()?.color]).toEqual(["#FFEE00", nearest, inkOn(nearest)]);
  act(() => taken()?.click());
  expect([typed(), preview()?.background, taken()]).toEqual([nearest, nearest, null]);
  act(() => root.unmount());
  router.dispose();
});
