/** Colours the bars of the system like the page, when the player chooses another theme. The next page comes with the colour. */
export function followTheme(): void {
  new MutationObserver(() => {
    const color = getComputedStyle(document.body).backgroundColor;
    for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
      meta.setAttribute("content", color);
  }).observe(document.documentElement, { attributeFilter: ["data-theme"] });
}
