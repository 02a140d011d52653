const adding = new Map<string, Promise<void>>();

/**
 * Adds the styles that the pages of a chunk need besides to a page that was loaded without them. The server names their addresses.
 * @param module of the chunk.
 * @throws an error if they cannot be fetched. The next call tries again.
 */
export async function addStyles(module: string): Promise<void> {
  // The server names the styles in the page itself.
  if (typeof document === "undefined") return;
  const more = document.querySelector<HTMLMetaElement>('meta[name="more-styles"]')?.content ?? "{}";
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The page and its scripts are of one build, whose server wrote this.
  const addresses = JSON.parse(more) as Record<string, string>;
  const address = addresses[module];
  if (address === undefined) return;
  const added = adding.get(module) ?? addSheet(address);
  adding.set(module, added);
  await added.catch((error: unknown) => {
    adding.delete(module);
    throw error;
  });
}

function addSheet(address: string): Promise<void> {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  return new Promise<void>((resolve, reject) => {
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => {
      link.remove();
      reject(new Error("A style sheet cannot be fetched."));
    });
    document.head.append(link);
  });
}
