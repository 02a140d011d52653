import { expect, test } from "bun:test";
import { createContext, createElement, lazy, type ReactNode, use, useContext, useState } from "react";
import { renderString } from "#src/ssr/render-string/render-string.ts";
import { expectReactsBytes, renderByReact } from "./compare.ts";

const Level = createContext("none");

function Reader() {
  return <i>{useContext(Level)}</i>;
}

const Loading = lazy(() => new Promise<{ default: () => ReactNode }>(() => undefined));
const never = new Promise<string>(() => undefined);

function Pending() {
  return use(never);
}

function Changing() {
  const [count, setCount] = useState(0);
  if (count === 0) setCount(1);
  return <b>{count}</b>;
}

function Catching() {
  const [count, setCount] = useState(0);
  try {
    if (count === 0) setCount(1);
  } catch {
    // A component must not hide that React renders it again.
  }
  return <b>{count}</b>;
}

const unknownToTheRenderer: [what: string, node: ReactNode][] = [
  ["data that is still to come", <Pending key="x" />],
  ["a component whose code is loading", <Loading key="x" />],
  ["a change of state while rendering", <Changing key="x" />],
  ["a change of state while rendering that is caught", <Catching key="x" />],
  ["a title", <title key="x">T</title>],
  ["a style sheet", <link key="x" rel="stylesheet" href="/x.css" precedence="high" />],
  ["a script", <script key="x" async src="/x.js" />],
  ["a picture of many sizes", <img key="x" srcSet="/a 1x" alt="" />],
  ["a script as an address", createElement("a", { key: "x", href: "javascript:alert(1)" })],
  ["a form action that is code", <form key="x" action={() => undefined} />],
  ["a custom element", createElement("my-element", { key: "x" })],
  ["an attribute that is an object", createElement("p", { key: "x", title: { toString: () => "t" } })],
];

test.each(unknownToTheRenderer)("%s is left to React", (_what, node) => {
  const { html, leftToReact, error } = renderString(<main>{node}</main>);
  expect(html).toBeNull();
  expect(leftToReact ?? error).not.toBeNull();
});

test("what a component throws is handed on, and the next page is rendered as if nothing had been", async () => {
  const broken = new Error("broken");
  const Broken = (): never => {
    throw broken;
  };
  const page = (
    <Level value="inside">
      <select defaultValue="x">
        <Broken />
      </select>
    </Level>
  );
  expect(renderString(page)).toEqual({ html: null, leftToReact: null, error: broken });
  await expectReactsBytes([<Reader key="a" />, <option key="b">x</option>]);
});

test("a page within a component of another page is left to React, and both are whole", () => {
  const inner: unknown[] = [];
  const Nested = () => {
    inner.push(renderString(<i />));
    return <b>nested</b>;
  };
  const page = (
    <p>
      one <Nested /> two
    </p>
  );
  expect(renderString(page).html).toBe(renderByReact(page));
  expect(inner).toMatchObject([{ html: null }, {}]);
});

test("a page within a component that React renders is rendered, and React goes on", () => {
  const inner: unknown[] = [];
  const Nested = () => {
    const [state] = useState("before");
    inner.push(renderString(<i />).html);
    const [later] = useState("after");
    return <b>{state + later}</b>;
  };
  expect(renderByReact(<Nested />)).toBe("<b>beforeafter</b>");
  expect(inner).toEqual(["<i></i>"]);
});
