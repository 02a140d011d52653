/**
 * What some supported browser lacks (README.md), and what the page does not make itself (client/base/browser/older-functions.ts).
 * `union`, `intersection` and `difference` of sets are no better, but the words have other uses.
 */
const missingSomewhere: readonly RegExp[] = [
  /\b(?:Object|Map)\.groupBy\b/,
  /\bArray\.fromAsync\b/,
  /\bPromise\.try\b/,
  /\bURL\.canParse\b/,
  /\bRegExp\.escape\b/,
  /\bResponse\.json\b/,
  /\bError\.isError\b/,
  /\bMath\.(?:sumPrecise|f16round)\b/,
  /\bIterator\.(?:from|concat|prototype)\b/,
  /\bIntl\.DurationFormat\b/,
  /\.(?:is(?:Subset|Superset)Of|isDisjointFrom|symmetricDifference)\(/,
  /\.(?:is|to)WellFormed\(/,
  // Of arrays, in Chromium 109.
  /\.(?:with|toSpliced)\(/,
  /\.(?:getOrInsert|getOrInsertComputed)\(/,
  /\.(?:checkVisibility|showPopover|togglePopover|moveBefore|setHTMLUnsafe)\(/,
  // What iterators can do themselves, and not only arrays.
  /\.(?:values|keys|entries)\(\)\.(?:map|filter|take|drop|flatMap|reduce|toArray|forEach|some|every|find)\(/,
];

/**
 * Checks a script for browsers, with the libraries in it.
 * @throws if it uses a function that a supported browser lacks.
 */
export function checkFunctions(file: string, script: string): void {
  for (const pattern of missingSomewhere) {
    const [found] = pattern.exec(script) ?? [];
    if (found !== undefined)
      throw new Error(
        `${file} uses ${found}, which not all supported browsers have (client/build/check-functions.ts).`,
      );
  }
}
