import { expect, test } from "bun:test";
import { use } from "react";
import { Boundary } from "#client/base/deferred/boundary.tsx";
import { Deferred } from "#client/base/deferred/deferred.ts";
import { renderApp } from "#src/pages/ssr/render-app.ts";
import { settleSoon } from "#src/pages/ssr/settle-soon.ts";
import { streamPage } from "#src/pages/ssr/stream-page.ts";

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

test("the data of a part comes before its content, and cannot end its script", async () => {
  const part = new Deferred("/");
  const stream = streamPage(await pageWith(part));
  part.settle({ data: "</script><b>\u2028" });
  const text = await new Response(stream).text();
  expect(text).toContain('.push([1,{"data":"\\u003c/script>\\u003cb>\\u2028"}])');
  expect(text.indexOf(".push(")).toBeLessThan(text.indexOf("&lt;/script&gt;&lt;b&gt;"));
  expect(text.split(".push(")).toHaveLength(2);
});

test("a page waits for the data of its parts only while that takes milliseconds", async () => {
  const [soon, never] = [new Deferred("/"), new Deferred("/")];
  setImmediate(() => soon.settle({ data: "there" }));
  await settleSoon([soon]);
  expect(soon.settled).toEqual({ data: "there" });
  await settleSoon([soon, never]);
  expect(never.settled).toBeNull();
});
