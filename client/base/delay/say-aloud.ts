let region: HTMLElement | null = null;

/** Says a text by screen readers at once, and shows it nowhere. */
export function sayAloud(text: string): void {
  if (region?.isConnected !== true) {
    region = document.createElement("p");
    region.className = "vh";
    region.setAttribute("aria-live", "assertive");
    document.body.append(region);
  }
  region.textContent = text;
}
