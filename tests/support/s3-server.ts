import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** An S3-compatible service with one bucket, in this process. It rejects requests that are not signed with its key. */
export type S3Server = {
  /** The value for the setting STORAGE, including the key. */
  address: string;
  /** The stored objects by bucket and key. Example: "uploads/avatars/abc". */
  objects: Map<string, { bytes: Uint8Array; contentType: string }>;
  /** The number of requests with a wrong signature. */
  refusals: () => number;
  stop: () => Promise<void>;
};

export const s3Key = { id: "test-key-id", secret: "test/secret+of a key" };
const REGION = "eu-test-1";

/** Starts the service on a free port. */
export function startS3Server(): S3Server {
  const objects: S3Server["objects"] = new Map();
  let refusals = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const bytes = new Uint8Array(await request.arrayBuffer());
      if (!isSigned(request, bytes)) {
        refusals += 1;
        return problem(403, "SignatureDoesNotMatch");
      }
      return answer(objects, request, bytes);
    },
  });
  const secret = encodeURIComponent(s3Key.secret);
  return {
    address: `s3://${s3Key.id}:${secret}@127.0.0.1:${server.port}/uploads/kept?region=${REGION}&tls=off`,
    objects,
    refusals: () => refusals,
    stop: () => server.stop(true),
  };
}

function answer(objects: S3Server["objects"], request: Request, bytes: Uint8Array): Response {
  const name = decodeURIComponent(new URL(request.url).pathname.slice(1));
  if (request.method === "PUT") {
    objects.set(name, { bytes, contentType: request.headers.get("content-type") ?? "" });
    return new Response(null, { headers: { etag: `"${createHash("md5").update(bytes).digest("hex")}"` } });
  }
  if (request.method === "DELETE") {
    objects.delete(name);
    return new Response(null, { status: 204 });
  }
  const object = objects.get(name);
  if (object === undefined) return problem(404, "NoSuchKey");
  return new Response(new Uint8Array(object.bytes), { headers: { "content-type": object.contentType } });
}

function problem(status: number, code: string): Response {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  return new Response(body, { status, headers: { "content-type": "application/xml" } });
}

/** Checks the AWS Signature Version 4 of a request. */
function isSigned(request: Request, bytes: Uint8Array): boolean {
  const [keyId, day = "", region, signedHeaders = "", signature = ""] = authorizationOf(request);
  const moment = request.headers.get("x-amz-date") ?? "";
  if (keyId !== s3Key.id || region !== REGION || !moment.startsWith(day)) return false;
  const declared = request.headers.get("x-amz-content-sha256") ?? "";
  if (declared !== "UNSIGNED-PAYLOAD" && declared !== sha256(bytes)) return false;
  const canonical = canonicalRequest(request, signedHeaders, declared);
  const text = ["AWS4-HMAC-SHA256", moment, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join("\n");
  const steps = [day, region, "s3", "aws4_request", text];
  const expected = steps.reduce<Buffer>((key, step) => hmac(key, step), Buffer.from(`AWS4${s3Key.secret}`));
  return timingSafeEqual(expected, Buffer.from(signature, "hex"));
}

/** Key id, day, region, names of the signed headers and the signature; empty if the header is invalid. */
function authorizationOf(request: Request): string[] {
  const read =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.get("authorization") ?? "",
    );
  return read?.slice(1) ?? [];
}

function canonicalRequest(request: Request, signedHeaders: string, payload: string): string {
  const url = new URL(request.url);
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .toSorted()
    .join("&");
  const headers = signedHeaders
    .split(";")
    .map((name) => `${name}:${(request.headers.get(name) ?? "").trim()}\n`)
    .join("");
  return [request.method, url.pathname, query, headers, signedHeaders, payload].join("\n");
}

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");
const hmac = (key: Buffer, data: string) => createHmac("sha256", key).update(data).digest();
