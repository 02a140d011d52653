const adding = new Map<string, Promise<unknown>>();

/** Adds the styles of a chunk to a page that came without them. @throws if they cannot be fetched; the next call tries again. */
export async function addStyles(module: string): Promise<void> {
  // The server names the styles in the page itself.
  if (typeof document === "undefined") return;
  const more = document.querySelector<HTMLMetaElement>('meta[name="more-styles"]')?.content ?? "{}";
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The page and its scripts are of one build, whose server wrote this.
  const address = (JSON.parse(more) as Record<string, string>)[module];
  if (address === undefined) return;
  if (!adding.has(module)) adding.set(module, addSheet(address));
  await adding.get(module)?.catch((error: unknown) => {
    adding.delete(module);
    throw error;
  });
}

async function addSheet(address: string): Promise<void> {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: address });
  const { promise, resolve, reject } = Promise.withResolvers<Event>();
  link.addEventListener("load", resolve);
  link.addEventListener("error", reject);
  document.head.append(link);
  await promise.catch(() => {
    link.remove();
    throw new Error("A style sheet cannot be fetched.");
  });
}
