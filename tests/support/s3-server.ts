import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** An S3-compatible service with one bucket, in this process. It rejects requests that are not signed with its key. */
export type S3Server = {
  /** The value for the setting STORAGE, including the key. */
  address: string;
  /** The stored objects by bucket and key. Example: "uploads/avatars/abc". */
  objects: Map<string, { bytes: Uint8Array; contentType: string }>;
  /** The uploads in parts that are not finished. */
  uploads: Uploads;
  /** The number of requests with a wrong signature. */
  refusals: () => number;
  /** From now on requests about objects whose name has this text, and of this method, are answered so. Null: none. */
  refuse: (refused: Refused | null) => void;
  stop: () => Promise<void>;
};

type Refused = { method?: string; about?: string; answer: () => Response | Promise<Response> };

export const s3Key = { id: "test-key-id", secret: "test/secret+of a key" };
const REGION = "eu-test-1";

/** Starts the service on a free port. @param missing what it answers to who asks for what is not there. */
export function startS3Server(missing = () => problem(404, "NoSuchKey")): S3Server {
  const objects: S3Server["objects"] = new Map();
  const uploads: Uploads = new Map();
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
      return answer({ objects, uploads }, request, bytes) ?? missing();
    },
  });
  const secret = encodeURIComponent(s3Key.secret);
  return {
    address: `s3://${s3Key.id}:${secret}@127.0.0.1:${server.port}/uploads/kept?region=${REGION}&tls=off`,
    objects,
    uploads,
    refusals: () => refusals,
    refuse: (next) => {
      refused = next;
    },
    stop: () => server.stop(true),
  };
}

/** The parts of uploads that are not finished yet, by upload. */
type Uploads = Map<string, Map<number, Uint8Array>>;

function answer(
  { objects, uploads }: Pick<S3Server, "objects" | "uploads">,
  request: Request,
  bytes: Uint8Array,
) {
  const { pathname, searchParams: query } = new URL(request.url);
  const name = decodeURIComponent(pathname.slice(1));
  const contentType = request.headers.get("content-type") ?? "";
  if (query.get("list-type") === "2")
    return listing(objects, name.replace(/\/$/, ""), query.get("prefix") ?? "");
  if (request.method === "POST" || query.has("uploadId"))
    return multipart({ objects, uploads }, request, { name, bytes });
  if (request.method === "PUT") {
    objects.set(name, { bytes, contentType });
    return new Response(null, { headers: { etag: etagOf(bytes) } });
  }
  if (request.method === "DELETE") {
    objects.delete(name);
    return new Response(null, { status: 204 });
  }
  const object = objects.get(name);
  if (object === undefined) return null;
  const headers = { "content-type": object.contentType, etag: etagOf(object.bytes) };
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get("range") ?? "") ?? [];
  if (from === undefined) return new Response(new Uint8Array(object.bytes), { headers });
  return new Response(object.bytes.slice(Number(from), Number(to) + 1), { status: 206, headers });
}

/** Begins an upload in parts, takes a part, and makes an object of them or gives them up. */
function multipart(
  { objects, uploads }: Pick<S3Server, "objects" | "uploads">,
  { url, method }: Request,
  { name, bytes }: { name: string; bytes: Uint8Array },
): Response | null {
  const query = new URL(url).searchParams;
  const id = query.get("uploadId") ?? `upload-${uploads.size + 1}`;
  if (query.has("uploads")) {
    uploads.set(id, new Map());
    return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }
  const parts = uploads.get(id);
  if (parts === undefined) return problem(404, "NoSuchUpload");
  if (method === "PUT") {
    parts.set(Number(query.get("partNumber")), bytes);
    return new Response(null, { headers: { etag: etagOf(bytes) } });
  }
  uploads.delete(id);
  if (method === "DELETE") return new Response(null, { status: 204 });
  const numbered = [...parts].toSorted(([one], [other]) => one - other).map(([, part]) => part);
  objects.set(name, { bytes: new Uint8Array(Buffer.concat(numbered)), contentType: "" });
  return xml(`<CompleteMultipartUploadResult><ETag>${etagOf(bytes)}</ETag></CompleteMultipartUploadResult>`);
}

/** The objects of a bucket whose keys begin so, as ListObjectsV2 answers. */
function listing(objects: S3Server["objects"], bucket: string, prefix: string): Response {
  const contents = [...objects]
    .filter(([name]) => name.startsWith(`${bucket}/${prefix}`))
    .map(([name, { bytes }]) => {
      const key = name.slice(bucket.length + 1);
      return `<Contents><Key>${key}</Key><Size>${bytes.length}</Size></Contents>`;
    });
  return xml(`<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join("")}</ListBucketResult>`);
}

const xml = (body: string) =>
  new Response(`<?xml version="1.0"?>${body}`, { headers: { "content-type": "application/xml" } });

const etagOf = (bytes: Uint8Array) => `"${createHash("md5").update(bytes).digest("hex")}"`;

/** An error as S3 answers it. */
export function problem(status: number, code: string, message = code): Response {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return new Response(body, { status, headers: { "content-type": "application/xml" } });
}

/** What a signature says of itself: in the address, or in a header. */
function signatureOf(request: Request): Record<string, string> {
  const { searchParams } = new URL(request.url);
  const header = request.headers.get("authorization");
  if (header === null) {
    const said = (name: string) => searchParams.get(`X-Amz-${name}`) ?? "";
    return {
      ...Object.fromEntries(
        ["Credential", "Date", "SignedHeaders", "Signature"].map((name) => [name, said(name)]),
      ),
      payload: "UNSIGNED-PAYLOAD",
    };
  }
  const words = Array.from(
    header.matchAll(/(\w+)=([^, ]+)/g),
    ([, name = "", value = ""]): [string, string] => [name, value],
  );
  return {
    ...Object.fromEntries(words),
    Date: request.headers.get("x-amz-date") ?? "",
    payload: request.headers.get("x-amz-content-sha256") ?? "",
  };
}

/** Checks the AWS Signature Version 4 of a signed address, or of a signed request. */
function isSigned(request: Request): boolean {
  const said = signatureOf(request);
  const [keyId, day = "", region] = said["Credential"]?.split("/") ?? [];
  const moment = said["Date"] ?? "";
  if (keyId !== s3Key.id || region !== REGION || !moment.startsWith(day)) return false;
  const text = [
    "AWS4-HMAC-SHA256",
    moment,
    `${day}/${region}/s3/aws4_request`,
    sha256(canonicalRequest(request, said)),
  ];
  const steps = [day, region, "s3", "aws4_request", text.join("\n")];
  const expected = steps.reduce<Buffer>((key, step) => hmac(key, step), Buffer.from(`AWS4${s3Key.secret}`));
  const signature = Buffer.from(said["Signature"] ?? "", "hex");
  return signature.length === expected.length && timingSafeEqual(expected, signature);
}

function canonicalRequest(request: Request, said: Record<string, string>): string {
  const url = new URL(request.url);
  const query = [...url.searchParams]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .toSorted()
    .join("&");
  const names = said["SignedHeaders"] ?? "";
  const headers = names
    .split(";")
    .map((name) => `${name}:${(request.headers.get(name) ?? "").trim()}\n`)
    .join("");
  return [request.method, url.pathname, query, headers, names, said["payload"]].join("\n");
}

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");
const hmac = (key: Buffer, data: string) => createHmac("sha256", key).update(data).digest();
