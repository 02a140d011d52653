import { describe, expect, test } from "bun:test";
import path from "node:path";
import { Glob } from "bun";
import { findBareTexts } from "./find-bare-texts.ts";

const CLIENT = path.join(import.meta.dir, "../../../client");
/** The screens on which texts change while people look at them. */
const live = /^(ui|card|events|leaderboard|results|running-order|screens\/(action|leaderboard|show|stage))\//;

test("a page translator cannot take a screen away, and what changes on a live screen has an element of its own", async () => {
  const found: string[] = [];
  for await (const file of new Glob("**/*.tsx").scan(CLIENT)) {
    for (const { line, fault } of findBareTexts(file, await Bun.file(path.join(CLIENT, file)).text()))
      if (fault === "lost" || live.test(file)) found.push(`client/${file}:${line} is ${fault}`);
  }
  expect(found.toSorted()).toEqual([]);
});

const faultsIn = (jsx: string) => findBareTexts("part.tsx", jsx).map(({ fault }) => fault);

describe("a screen would be lost by", () => {
  test.each([
    ["an icon that comes before a text", `const a = <p>{up ? <Icon /> : null}{text}</p>;`],
    ["an icon that comes before a constant text", `const a = <p>{up && <Icon />} Words</p>;`],
    ["a text that goes", `const a = <p><b>1</b>{about === "" ? null : about}</p>;`],
    ["a text that becomes an element", `const a = <p><b>1</b>{at === null ? texts.never : <Moment />}</p>;`],
  ])("%s", (_name, jsx) => expect(faultsIn(jsx)).toEqual(["lost"]));
});

describe("a text would be stale", () => {
  test.each([
    ["beside an element", `const a = <p>{digits}<small>{unit}</small></p>;`],
    ["beside another text", `const a = <p>{label} of {total}</p>;`],
    ["that is one of two", `const a = <p><Icon />{open ? texts.open : texts.closedAt(time)}</p>;`],
    ["that is all of a component", `function Words({ count }: Props) { return texts.called(count); }`],
  ])("%s", (_name, jsx) => expect(faultsIn(jsx)).toEqual(["stale"]));
});

describe("all is well with", () => {
  test.each([
    ["a text of its own", `const a = <p>{count > 1 ? texts.many(count) : null}</p>;`],
    ["texts in elements", `const a = <p>{up ? <Icon /> : null}<span>{text}</span></p>;`],
    ["a constant beside an element", `const a = <p>{texts.checked} <Moment /></p>;`],
    ["an icon that comes behind a constant", `const a = <p>{texts.chat}{unread ? <Count /> : null}</p>;`],
    ["an icon that comes before an element", `const a = <p>{up ? <Icon /> : null}<b>{text}</b></p>;`],
    ["the children of a part", `function Part({ children }) { return <p><Icon />{children}</p>; }`],
  ])("%s", (_name, jsx) => expect(faultsIn(jsx)).toEqual([]));
});
