import { expect, test } from "bun:test";
import { Suspense, use } from "react";
import { renderApp } from "#src/ssr/render-app.ts";

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

test("a complete app has no part at the end, however large its parts are", async () => {
  const { html, rest } = await renderApp(
    <Suspense fallback={<i>Loading...</i>}>
      <p>{"long ".repeat(10_000)}</p>
    </Suspense>,
    quiet,
  );
  expect(rest).toBeNull();
  expect(html).not.toContain("Loading...");
});

test("an app with pending parts comes in pieces: first what is ready, then the rest", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { html, rest } = await renderApp(
    <main>
      <Suspense fallback={<i>Loading...</i>}>
        <Late words={promise} />
      </Suspense>
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
    <Suspense fallback={<i>Loading...</i>}>
      <Late words={Promise.withResolvers<string>().promise} />
    </Suspense>,
    { nonce: "n", onError: (error) => errors.push(error) },
  );
  const ended = Promise.withResolvers<void>();
  rest?.follow(() => undefined, ended.resolve);
  rest?.abort();
  await ended.promise;
  expect(errors).toEqual([]);
});

test("an app that throws outside its pending parts rejects", () => {
  const Broken = (): never => {
    throw new Error("broken");
  };
  expect(renderApp(<Broken />, quiet)).rejects.toThrow("broken");
});
