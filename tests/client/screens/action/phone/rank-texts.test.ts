import { expect, test } from "bun:test";
import { formatRank, rankChangeText, rankNews } from "#client/leaderboard/rank-texts.ts";

test("a shared rank has a sign", () => {
  expect([formatRank({ rank: 3, tied: true }), formatRank({ rank: 3, tied: false })]).toEqual(["=3", "3"]);
});

test("a change of the rank is said in words", () => {
  expect([2, -1, 0, null].map(rankChangeText)).toEqual(["up 2", "down 1", "same", "new"]);
});

test("the ticker says what a result did to the viewer's rank", () => {
  const after = (rankChange: number | null) => rankNews({ rank: 3, tied: true, rankChange });
  expect(after(2)).toBe(" You moved up to =3.");
  expect(after(-1)).toBe(" You are =3 now.");
  expect(after(null)).toBe(" You are =3.");
  expect([after(0), rankNews(null)]).toEqual(["", ""]);
});
