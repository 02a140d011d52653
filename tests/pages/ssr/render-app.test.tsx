import { expect, test } from "bun:test";
import { use } from "react";
import { Boundary } from "#client/base/deferred/boundary.tsx";
import { Deferred } from "#client/base/deferred/deferred.ts";
import { renderApp } from "#src/pages/ssr/render-app.ts";
import { streamPage } from "#src/pages/ssr/respond.ts";

const quiet = { nonce: "n", onError: () => undefined };

test("a part of a complete app that fails is reported, and left to the browser", async () => {
  const Broken = (): never => {
    throw new Error("broken");
  };
  const errors: unknown[] = [];
  const { html, rest } = await renderApp(
    <main>
      <Boundary fallback={<i>Loading...</i>}>
        <Broken />
      </Boundary>
    </main>,
    { nonce: "n", onError: (error) => errors.push(error) },
  );
  expect(errors).toEqual([new Error("broken")]);
  expect(html).toContain("Loading...");
  expect(rest).toBeNull();
});

test("an app that throws outside its pending parts rejects", async () => {
  const Broken = (): never => {
    throw new Error("broken");
  };
  const outcome = await renderApp(<Broken />, quiet).catch((error: unknown) => error);
  expect(outcome).toEqual(new Error("broken"));
});

function Part({ part }: { part: Deferred }) {
  const outcome = part.settled ?? use(part.outcome);
  return <p>{"failure" in outcome ? `failed with ${outcome.failure.status}` : String(outcome.data)}</p>;
}

async function pageWith(part: Deferred) {
  const { html, rest } = await renderApp(
    <Boundary fallback={<i>Loading...</i>}>
      <Part part={part} />
    </Boundary>,
    { nonce: "n", onError: () => undefined },
  );
  if (rest === null) throw new Error("the page is complete");
  return { start: html, rest, end: "</html>", pending: new Map([[1, part]]), nonce: "n" };
}

test("a part whose data does not come in time is unavailable, and the document is complete", async () => {
  const part = new Deferred("/");
  const text = await new Response(streamPage(await pageWith(part), 0)).text();
  expect(text).toContain("failed with 503");
  expect(text).toEndWith("</html>");
  part.settle({ data: "too late" });
  expect(await part.outcome).toMatchObject({ failure: { status: 503 } });
});
