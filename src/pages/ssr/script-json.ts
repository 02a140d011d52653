const escapes: Record<string, string> = { "<": "\\u003c", "\u2028": "\\u2028", "\u2029": "\\u2029" };

/** JSON that is safe inside a <script>: it cannot end the element, start a comment or contain a line separator. */
export function jsonForScript(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[<\u2028\u2029]/g, (letter) => escapes[letter] ?? letter);
}
