import { expect, test } from "bun:test";
import { startTransition } from "react";
import { createRoot } from "react-dom/client";
import { createMemoryRouter, useNavigate } from "react-router";
import { RouterProvider } from "react-router/dom";
import { Deferred } from "#client/base/deferred/deferred.ts";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";
import { waitFor } from "#tests/support/wait-for.ts";

afterFile(openDom());

test("a part whose data comes while React renders it is shown, and nothing has to be recovered", async () => {
  // React schedules its work as it does in a browser.
  Object.defineProperty(globalThis, "IS_REACT_ACT_ENVIRONMENT", { value: false, configurable: true });
  const errors: unknown[] = [];
  const data = new Deferred<string>("/wallet");
  let go: ReturnType<typeof useNavigate> | null = null;
  function Home() {
    go = useNavigate();
    return "Home";
  }
  function Wallet() {
    // The data arrives between the moment in which the part waits and the one in which React goes on.
    queueMicrotask(() => data.settle({ data: "$100.00" }));
    return <WhenLoaded data={data}>{(text) => <b>{text}</b>}</WhenLoaded>;
  }
  const router = createMemoryRouter([
    { path: "/", element: <Home /> },
    { path: "/wallet", element: <Wallet /> },
  ]);
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place, { onRecoverableError: (error) => errors.push(error) });
  root.render(<RouterProvider router={router} />);
  await waitFor("the first page", () => place.textContent === "Home" || null);
  startTransition(() => void go?.("/wallet"));
  await waitFor("the part", () => place.textContent === "$100.00");
  expect(errors).toEqual([]);
  root.unmount();
  // React ends its own work in a later task, and needs the window until then.
  await Bun.sleep(0);
});
