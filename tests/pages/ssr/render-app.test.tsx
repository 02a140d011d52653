import { expect, test } from "bun:test";
import { use } from "react";
import { Boundary } from "#client/base/deferred/boundary.tsx";
import { Deferred } from "#client/base/deferred/deferred.ts";
import { renderApp } from "#src/pages/ssr/render-app.ts";
import { streamPage } from "#src/pages/ssr/respond.ts";

function Late({ words }: { words: Promise<string> }) {
  return <p>{use(words)}</p>;
}

const quiet = { nonce: "n", onError: () => undefined };

test("a complete app is one string", async () => {
  expect(await renderApp(<p title={`"<>&`}>Grüße 🎲</p>, quiet)).toEqual({
    html: '<p title="&quot;&lt;&gt;&amp;">Grüße 🎲</p>',
    rest: null,
  });
});

test("an app with pending parts comes in pieces: first what is ready, then the rest", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { html, rest } = await renderApp(
    <main>
      <Boundary fallback={<i>Loading...</i>}>
        <Late words={promise} />
      </Boundary>
    </main>,
    quiet,
  );
  expect(html).toContain("Loading...");
  expect(html).toContain("</main>");
  const pieces: string[] = [];
  const ended = Promise.withResolvers<void>();
  rest?.follow((piece) => pieces.push(piece), ended.resolve);
  expect(pieces).toEqual([]);
  resolve("worth the wait");
  await ended.promise;
  expect(pieces).toHaveLength(1);
  expect(pieces[0]).toContain("worth the wait");
  expect(pieces[0]).toContain('nonce="n"');
});

test("an app that nobody waits for ends, and that is no error", async () => {
  const errors: unknown[] = [];
  const { rest } = await renderApp(
    <Boundary fallback={<i>Loading...</i>}>
      <Late words={Promise.withResolvers<string>().promise} />
    </Boundary>,
    { nonce: "n", onError: (error) => errors.push(error) },
  );
  const ended = Promise.withResolvers<void>();
  rest?.follow(() => undefined, ended.resolve);
  rest?.abort();
  await ended.promise;
  expect(errors).toEqual([]);
});

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

test("an app that throws outside its pending parts rejects", () => {
  const Broken = (): never => {
    throw new Error("broken");
  };
  expect(renderApp(<Broken />, quiet)).rejects.toThrow("broken");
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

test("the data of a part comes before its content, and cannot end its script", async () => {
  const part = new Deferred("/");
  const stream = streamPage(await pageWith(part));
  part.settle({ data: "</script><b>\u2028" });
  const text = await new Response(stream).text();
  expect(text).toContain('.push([1,{"data":"\\u003c/script>\\u003cb>\\u2028"}])');
  expect(text.indexOf(".push(")).toBeLessThan(text.indexOf("&lt;/script&gt;&lt;b&gt;"));
  expect(text.split(".push(")).toHaveLength(2);
});
