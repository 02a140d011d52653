const escapes: Record<string, string> = { "<": "\\u003c", "\u2028": "\\u2028", "\u2029": "\\u2029" };

/** JSON that may stand inside a <script>: nothing in it can end the element, open a comment or break a line. */
export function jsonForScript(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[<\u2028\u2029]/g, (letter) => escapes[letter] ?? letter);
}
