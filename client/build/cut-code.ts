/** The parts of one library file that no page of this app runs. */
export type Cuts = {
  /** SHA-256 of the file. Another version may need what is cut, so its cuts must be reviewed first. */
  sha256: string;
  /** Functions that no page calls, because it does not use their feature. One that is called nevertheless throws. */
  never: readonly string[];
  /** Functions that are called and have nothing to do here, with what they return ("" for nothing). */
  instead: Readonly<Record<string, string>>;
  /** Stretches of code that are left out: from the first text up to the second, which stays. A third text is put in their place. */
  ranges: readonly (readonly [from: string, to: string, instead?: string])[];
};

const GUARD = "calledWhatIsCut";
const GUARD_SOURCE = `\nfunction ${GUARD}() { throw Error("This part of a library is cut from the bundle: client/build"); }\n`;

/**
 * Leaves parts out of a library's file. What only they need is then dropped by the bundler.
 * @param file names it in errors.
 * @throws if the file has changed since its cuts were reviewed, or if a cut does not match exactly one place in it.
 */
export function cutCode(source: string, cuts: Cuts, file: string): string {
  const sha256 = new Bun.CryptoHasher("sha256").update(source).digest("hex");
  if (sha256 !== cuts.sha256)
    throw new Error(`${file} has changed. Review its cuts in client/build, then set sha256 to ${sha256}.`);
  let code = source;
  for (const name of cuts.never) code = replaceBody(code, name, `${GUARD}();`);
  for (const [name, value] of Object.entries(cuts.instead))
    code = replaceBody(code, name, value === "" ? "" : `return ${value};`);
  for (const range of cuts.ranges) code = cutRange(code, range);
  return code + (cuts.never.length > 0 ? GUARD_SOURCE : "");
}

/** Functions are found by the indentation of their closing brace, which published files keep. */
function replaceBody(code: string, name: string, body: string): string {
  const heads = new RegExp(`^([ \\t]*)(?:async )?function ${RegExp.escape(name)}\\(`, "gm");
  const [head, ...others] = code.matchAll(heads);
  if (head === undefined || others.length > 0)
    throw new Error(`There is not exactly one function ${name} to cut.`);
  const start = code.indexOf(") {\n", head.index) + ") {".length;
  const end = code.indexOf(`\n${head[1]}}`, start);
  if (start < head.index || end < 0)
    throw new Error(`The function ${name} has another layout; it is not cut.`);
  return code.slice(0, start) + body + code.slice(end);
}

function cutRange(code: string, [from, to, instead = ""]: Cuts["ranges"][number]): string {
  const start = code.indexOf(from);
  const end = code.indexOf(to, start + from.length);
  if (start < 0 || end < 0 || code.includes(from, start + 1))
    throw new Error(`There is not exactly one range from "${from.trim()}" to "${to.trim()}" to cut.`);
  return code.slice(0, start) + instead + code.slice(end);
}
