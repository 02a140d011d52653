import { expect, test } from "bun:test";
import { slugFormat } from "#db/lists/session-address.ts";
import { slugFrom } from "#src/play/slug-from.ts";

test.each([
  ["Été: the final!", "ete-the-final"],
  ["Anna's quiz", "annas-quiz"],
  ["日本の夜", "ribennoye"],
  ["ليلة الجمعة", "lylh-ljmh"],
  ["Ночь пятницы", "noch-pyatnitsy"],
  ["금요일 밤", "geumyoil-bam"],
  ["🎉🔥", "tada-fire"],
  ["👨‍👩‍👧‍👦", "man-woman-girl-boy"],
  ["２０２５", "session-2025"],
  ["New", "session-new"],
  ["…!?", "session"],
  ["\u200d\u00ad", "session"],
])("the name %p leads to an address that can be said and typed", (name, slug) => {
  expect(slugFrom(name)).toBe(slug);
  expect(slugFormat.test(slug)).toBe(true);
});

test("an address has at most 60 letters, and no hyphen at its ends", () => {
  const slug = slugFrom(`  ${"夜の質問 ".repeat(20)}`);
  expect(slug.length).toBeLessThanOrEqual(60);
  expect(slugFormat.test(slug)).toBe(true);
});
