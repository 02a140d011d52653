import { expect, test } from "bun:test";
import { Suspense, use } from "react";
import { renderAtOnce } from "#src/ssr/render-at-once.ts";

function Late({ words }: { words: Promise<string> }) {
  return <p>{use(words)}</p>;
}

const quiet = { nonce: "n", onError: () => undefined };

test("a complete page is one string", async () => {
  expect(await renderAtOnce(<p title={`"<>&`}>Grüße 🎲</p>, quiet)).toBe(
    '<p title="&quot;&lt;&gt;&amp;">Grüße 🎲</p>',
  );
});

test("a page with pending parts is a stream: the ready parts first, then the rest", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const page = await renderAtOnce(
    <main>
      <Suspense fallback={<i>Loading...</i>}>
        <Late words={promise} />
      </Suspense>
    </main>,
    quiet,
  );
  if (typeof page === "string") throw new Error("it should have been a stream");
  const reader = page.getReader();
  const first = new TextDecoder().decode((await reader.read()).value);
  expect(first).toContain("Loading...");
  resolve("worth the wait");
  const second = new TextDecoder().decode((await reader.read()).value);
  expect(second).toContain("worth the wait");
  expect(second).toContain('nonce="n"');
  expect((await reader.read()).done).toBe(true);
});

test("a shell that throws rejects", () => {
  const Broken = (): never => {
    throw new Error("broken");
  };
  expect(renderAtOnce(<Broken />, quiet)).rejects.toThrow("broken");
});
