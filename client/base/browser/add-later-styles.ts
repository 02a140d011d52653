let adding: Promise<void> | null = null;

/**
 * Adds the styles that few pages need to a page that was loaded without them. The server has named them in its link to the other
 * styles, which they follow in the cascade.
 * @throws an error if they cannot be fetched. The next call tries again.
 */
export async function addLaterStyles(): Promise<void> {
  // The server names all styles in the page itself.
  if (typeof document === "undefined") return;
  const link = document.querySelector<HTMLLinkElement>("link[data-later]");
  const address = link?.dataset["later"];
  if (link === null || address === undefined) return;
  adding ??= addAfter(link, address).catch((error: unknown) => {
    adding = null;
    throw error;
  });
  await adding;
}

function addAfter(before: HTMLLinkElement, address: string): Promise<void> {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  return new Promise<void>((resolve, reject) => {
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => {
      link.remove();
      reject(new Error("A style sheet cannot be fetched."));
    });
    before.after(link);
  });
}
