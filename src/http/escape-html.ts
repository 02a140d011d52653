/** Escapes text for use inside an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return Bun.escapeHTML(text);
}
