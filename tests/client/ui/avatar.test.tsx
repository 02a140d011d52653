import { expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import { Face } from "#client/screens/stage/face.tsx";
import { Avatar } from "#client/ui/avatar.tsx";

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, "");

test.each([
  ["mira", "MI", "M"],
  ["_o'Brien", "OB", "O"],
  ["किरण", "किर", "कि"],
  ["𠮷野", "𠮷野", "𠮷"],
])("where %s has no picture, whole letters stand for it", (name, two, one) => {
  expect(textOf(renderToStaticMarkup(<Avatar name={name} avatar={null} />))).toBe(two);
  expect(textOf(renderToStaticMarkup(<Face username={name} picture={null} />))).toBe(one);
});
