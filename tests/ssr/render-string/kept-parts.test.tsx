import { expect, test } from "bun:test";
import { createContext, createElement, type ReactNode, useContext, useId, useState } from "react";
import { Link } from "react-router";
import { createHandlersContext, kept } from "#client/kept.ts";
import { renderApp, renderWithReact } from "#src/ssr/render-app.ts";
import { generations, KEPT_CHARACTERS_MAX, type KeptTree } from "#src/ssr/render-string/kept-parts.ts";
import { renderString } from "#src/ssr/render-string/render-string.ts";
import { buildCall, buildEvent, buildPage, buildSession, buildWallet } from "#tests/client/action-states.ts";
import { actionPage } from "./action-page.tsx";
import { expectReactsBytes } from "./compare.ts";

const Outside = createContext("outside");
Outside.displayName = "Outside";

/** All HTML that is kept, and the props that lead to it. */
function keptTexts(): string[] {
  return Object.values(generations).flatMap(({ trees }) => [...trees.values()].flatMap(textsIn));
}

function textsIn({ part, next }: KeptTree): string[] {
  const below = [...(next?.values() ?? [])].flatMap((byValue) => [...byValue]);
  const html = part === null ? [] : [part.html];
  return [...html, ...below.flatMap(([value, tree]) => [String(value), ...textsIn(tree)])];
}

test("a kept part is rendered once for the same props, and again for others", async () => {
  const rendered: string[] = [];
  const Part = kept(function Part({ name, count }: { name: string; count: number | null }) {
    rendered.push(`${name} ${count}`);
    return (
      <p title={name}>
        {name} <b>{count}</b>
      </p>
    );
  });
  const page = (count: number | null) => renderString(<Part name={`"<&>'`} count={count} />).html;
  const [first, second, other] = [page(1), page(1), page(2)];
  expect(rendered).toEqual([`"<&>' 1`, `"<&>' 2`]);
  expect(second).toBe(first);
  expect(other).not.toBe(first);
  await expectReactsBytes(<Part name="x" count={null} />);
});

test("props that are much alike have parts of their own", () => {
  const Part = kept((props: Record<string, unknown>) =>
    Object.entries(props).map(([name, value]) => (
      <p key={name}>{`${name} ${typeof value} ${String(value)}`}</p>
    )),
  );
  const alike: Record<string, unknown>[] = [
    {},
    { a: 1 },
    { a: "1" },
    { a: true },
    { a: "true" },
    { a: null },
    { a: "null" },
    { a: undefined },
    { a: "" },
    { a: '1;b"1:2' },
    { a: "1", b: "2" },
    { ab: "12" },
    { a: "12", b: "" },
  ];
  const written = alike.map((props) => renderString(createElement(Part, props)).html);
  expect(new Set(written).size).toBe(alike.length);
});

test("text beside a kept part, at its start and at its end is separated as React does it", async () => {
  const Bare = kept(({ text }: { text: string }) => <>{text}</>);
  const Mixed = kept(() => (
    <>
      a<b>b</b>c
    </>
  ));
  await expectReactsBytes(
    <p>
      x<Bare text="y" />z<Bare text="" />w<Mixed />
      <Mixed />
      <Bare text="e" />
    </p>,
  );
});

test("the pictures of a kept part are announced by each page that has it", async () => {
  const Picture = kept(({ src }: { src: string }) => <img src={src} alt="" />);
  await expectReactsBytes([<Picture key="a" src="/one" />, <Picture key="b" src="/two" />]);
});

test("a kept part with props that are no plain values is an ordinary component", async () => {
  const Part = kept(({ children }: { children: ReactNode }) => <p>{children}</p>);
  const Reader = () => <i>{useContext(Outside)}</i>;
  await expectReactsBytes(
    <Outside value="viewer">
      <Part>
        <Reader />
      </Part>
    </Outside>,
  );
});

const ReadsViewer = kept(() => <i>{useContext(Outside)}</i>);
const TakesId = kept(() => <i id={useId()} />);
const FollowsLink = kept(() => <Link to="history">All</Link>);

test.each([
  ["a context of the page", ReadsViewer, "cannot read the context Outside"],
  ["its position in the page", TakesId, "cannot call useId"],
  ["the page's address", FollowsLink, "cannot read the context"],
])("a kept part that depends on %s is refused, and nothing of it is kept", async (_what, Part, message) => {
  const page = (
    <Outside value="secret of the viewer">
      <Part />
    </Outside>
  );
  const { html, error } = renderString(page);
  expect(html).toBeNull();
  expect(String(error)).toContain(message);
  expect(keptTexts().join("\n")).not.toContain("secret of the viewer");
});

test("a page with such a part is rendered by React, and the mistake is reported", async () => {
  const page = (
    <Outside value="viewer">
      <ReadsViewer />
    </Outside>
  );
  const errors: unknown[] = [];
  const settings = { nonce: "n", onError: (error: unknown) => errors.push(error) };
  const app = await renderApp(page, settings);
  expect(errors.map(String)).toEqual([expect.stringContaining("KeptPartError")]);
  expect(app).toEqual(await renderWithReact(page, settings));
});

test("a kept part may read the contexts that it provides itself, those of handlers, and its own state", async () => {
  const Handlers = createHandlersContext({ press: () => undefined });
  const Inner = () => {
    const { press } = useContext(Handlers);
    const [text] = useState(useContext(Outside));
    return <button onClick={press}>{text}</button>;
  };
  const Part = kept(() => (
    <Outside value="inside">
      <Inner />
    </Outside>
  ));
  await expectReactsBytes(
    <Handlers value={{ press: () => undefined }}>
      <Outside value="viewer">
        <Part />
      </Outside>
    </Handlers>,
  );
});

test("what is kept is bounded; what is used stays, and what nobody uses goes", () => {
  const Large = kept(({ number }: { number: number }) => <p>{`${number} `.repeat(2_000)}</p>);
  const written = (number: number) => renderString(<Large number={number} />).html ?? "";
  const marker = written(1);
  const unused = written(2);
  const count = Math.ceil((3 * KEPT_CHARACTERS_MAX) / marker.length);
  for (let number = 100; number < 100 + count; number += 1) {
    written(number);
    written(1);
  }
  const texts = keptTexts();
  expect(texts.join("").length).toBeLessThan(2 * KEPT_CHARACTERS_MAX + 10 * written(100 + count).length);
  expect(texts).toContain(marker);
  expect(texts).not.toContain(unused);
});

test("nothing that is kept has a viewer's name or address, a token or a key", async () => {
  const none = { default: null, thumb: null, small: null, medium: null, large: null, original: null };
  for (const id of [1, 2, 3]) {
    const viewer = {
      id,
      gid: `gid-${id}-secret`,
      email: `mail-${id}-secret@x.org`,
      username: `name-${id}-secret`,
    };
    const record = { rank: 4, tied: false, wins: 1, losses: 0, pushes: 0, currentStreak: 1, bestStreak: 1 };
    const money = { accuracy: 1, net: 1, netCents: 100, roi: 1, rankChange: null };
    const me = { id, sessionId: 1, userId: id, username: viewer.username, avatar: none, ...record, ...money };
    const { page } = await actionPage({
      page: {
        ...buildPage(),
        csrfToken: `token-${id}-secret`,
        viewer: { ...viewer, avatar: none, roles: [], guest: false },
      },
      session: buildSession(),
      events: [buildEvent({ myCalls: [buildCall({ userId: id })] })],
      leaders: { leaders: [], me, exclusion: null, totalCount: 4 },
      wallet: buildWallet(10_000),
      notifications: [],
      active: null,
    });
    const { html } = renderString(page);
    expect(html).toContain(`name-${id}-secret (you)`);
    expect(html).toContain(`token-${id}-secret`);
    const key = /name="idempotency_key" value="([^"]+)"/.exec(html ?? "")?.[1];
    if (key === undefined) throw new Error("The page has no idempotency key.");
    expect(keptTexts().join("\n")).not.toContain(key);
  }
  expect(keptTexts().join("\n")).not.toContain("secret");
});
