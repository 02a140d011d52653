/** Copies a text. @returns false where the browser refuses: to pages without https, and to those without the focus. */
export async function copyText(text: string): Promise<boolean> {
  if (!("clipboard" in navigator)) return false;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
