import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** An S3-compatible service with one bucket, in this process. It rejects requests that are not signed with its key. */
export type S3Server = {
  /** The value for the setting STORAGE, including the key. */
  address: string;
  /** The stored objects by bucket and key. Example: "uploads/avatars/abc". */
  objects: Map<string, { bytes: Uint8Array; contentType: string }>;
  /** The number of requests with a wrong signature. */
  refusals: () => number;
  /** From now on requests about objects whose name has this text, and of this method, are answered so. Null: none. */
  refuse: (refused: Refused | null) => void;
  stop: () => Promise<void>;
};

type Refused = { method?: string; about?: string; answer: () => Response };

export const s3Key = { id: "test-key-id", secret: "test/secret+of a key" };
const REGION = "eu-test-1";

/** Starts the service on a free port. @param missing what it answers to who asks for what is not there. */
export function startS3Server(missing = () => problem(404, "NoSuchKey")): S3Server {
  const objects: S3Server["objects"] = new Map();
  let refusals = 0;
  let refused: Refused | null = null;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const bytes = new Uint8Array(await request.arrayBuffer());
      if (!isSigned(request)) {
        refusals += 1;
        return problem(403, "SignatureDoesNotMatch");
      }
      const { pathname } = new URL(request.url);
      const isMeant = refused !== null && pathname.includes(refused.about ?? "");
      if (isMeant && [request.method, undefined].includes(refused?.method))
        return refused?.answer() ?? problem(500, "");
      return answer(objects, request, bytes) ?? missing();
    },
  });
  const secret = encodeURIComponent(s3Key.secret);
  return {
    address: `s3://${s3Key.id}:${secret}@127.0.0.1:${server.port}/uploads/kept?region=${REGION}&tls=off`,
    objects,
    refusals: () => refusals,
    refuse: (next) => {
      refused = next;
    },
    stop: () => server.stop(true),
  };
}

function answer(objects: S3Server["objects"], request: Request, bytes: Uint8Array): Response | null {
  const name = decodeURIComponent(new URL(request.url).pathname.slice(1));
  if (request.method === "PUT") {
    objects.set(name, { bytes, contentType: request.headers.get("content-type") ?? "" });
    return new Response(null, { headers: { etag: etagOf(bytes) } });
  }
  if (request.method === "DELETE") {
    objects.delete(name);
    return new Response(null, { status: 204 });
  }
  const object = objects.get(name);
  if (object === undefined) return null;
  const headers = { "content-type": object.contentType, etag: etagOf(object.bytes) };
  return new Response(new Uint8Array(object.bytes), { headers });
}

const etagOf = (bytes: Uint8Array) => `"${createHash("md5").update(bytes).digest("hex")}"`;

/** An error as S3 answers it. */
export function problem(status: number, code: string, message = code): Response {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return new Response(body, { status, headers: { "content-type": "application/xml" } });
}

/** Checks the AWS Signature Version 4 of a signed address. */
function isSigned(request: Request): boolean {
  const { searchParams: query } = new URL(request.url);
  const said = (name: string) => query.get(`X-Amz-${name}`) ?? "";
  const [keyId, day = "", region] = said("Credential").split("/");
  const moment = said("Date");
  if (keyId !== s3Key.id || region !== REGION || !moment.startsWith(day)) return false;
  const text = [
    "AWS4-HMAC-SHA256",
    moment,
    `${day}/${region}/s3/aws4_request`,
    sha256(canonicalRequest(request)),
  ];
  const steps = [day, region, "s3", "aws4_request", text.join("\n")];
  const expected = steps.reduce<Buffer>((key, step) => hmac(key, step), Buffer.from(`AWS4${s3Key.secret}`));
  const signature = Buffer.from(said("Signature"), "hex");
  return signature.length === expected.length && timingSafeEqual(expected, signature);
}

function canonicalRequest(request: Request): string {
  const url = new URL(request.url);
  const query = [...url.searchParams]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .toSorted()
    .join("&");
  const names = url.searchParams.get("X-Amz-SignedHeaders") ?? "";
  const headers = names
    .split(";")
    .map((name) => `${name}:${(request.headers.get(name) ?? "").trim()}\n`)
    .join("");
  return [request.method, url.pathname, query, headers, names, "UNSIGNED-PAYLOAD"].join("\n");
}

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");
const hmac = (key: Buffer, data: string) => createHmac("sha256", key).update(data).digest();
