import { Worker } from "node:worker_threads";
import { chooseEncoding, type Encoding } from "#src/http/choose-encoding.ts";
import { notModified } from "#src/http/finish-answer.ts";
import { loadAssets } from "#src/pages/ssr/assets.ts";
import { site } from "#src/settings/contract.ts";
import type { Documents } from "./make-documents.ts";

// Decision: the reference and the documents are made once, by a thread that ends with it, and their bytes are kept in each
// encoding. So a reader costs no more than a file does, and the first one delays no call.

/** They only change with a deployment. Clients notice within five minutes. */
const CACHE_CONTROL = "public, max-age=300";
const encodings: readonly Exclude<Encoding, "zstd">[] = ["br", "gzip"];

type Kind = keyof Documents;
/** Names of files under /assets/. */
type Files = { styles: string; mark: string };

let making: Promise<Documents> | null = null;

/** Answers with a document, in the encoding that the client prefers, or with 304. */
export async function answerDocument(request: Request, kind: Kind, type: string): Promise<Response> {
  const { manifest: files } = await loadAssets();
  making ??= make(files).catch((error: unknown) => {
    // The next request tries again.
    making = null;
    throw error;
  });
  const document = (await making)[kind];
  const headers = new Headers({
    "content-type": type,
    "cache-control": CACHE_CONTROL,
    // Weak, because it names all forms.
    etag: `W/"${Bun.hash(document.bytes).toString(36)}"`,
    vary: "accept-encoding",
  });
  const known = notModified(request, headers);
  if (known !== null) {
    // By its type it gets the policy of a page, which browsers may keep with the page that they have.
    known.headers.set("content-type", type);
    return known;
  }
  const encoding = encodings.find((each) => each === chooseEncoding(request, encodings));
  if (encoding === undefined) return new Response(document.bytes, { headers });
  headers.set("content-encoding", encoding);
  return new Response(document[encoding], { headers });
}

function make(files: Files): Promise<Documents> {
  const { styles, mark } = files;
  const thread = new Worker(new URL("./make-documents.ts", import.meta.url), {
    workerData: { styles, mark, siteName: site().name },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Documents>();
  thread.on("message", resolve);
  thread.on("error", reject);
  thread.on("exit", () =>
    reject(new Error("the thread that makes the API's documents has ended without them")),
  );
  return promise.finally(() => void thread.terminate());
}
