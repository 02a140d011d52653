import { writeFileSync } from "node:fs";
import path from "node:path";
import { giveToServer } from "./postgres.ts";
import { requireProgram } from "./require-program.ts";

/** Files in PEM: an authority, a server's certificate that it has signed, and an authority that has signed nothing. */
export type Certificates = { ca: string; otherCa: string; certificate: string; key: string };

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days"];

/** Makes certificates in a folder that the server's user can enter. @param days after which they end. */
export function makeCertificates(
  folder: string,
  { names = ["localhost"], days = 2 }: { names?: readonly string[]; days?: number } = {},
): Certificates {
  const key = [...KEY, String(days)];
  const file = (name: string) => path.join(folder, name);
  const openssl = (...words: string[]) => {
    const made = Bun.spawnSync([requireProgram("openssl"), ...words], { stderr: "pipe" });
    if (made.exitCode !== 0) throw new Error(made.stderr.toString());
  };
  for (const name of ["ca", "other"]) {
    const files = ["-keyout", file(`${name}.key`), "-out", file(`${name}.pem`)];
    openssl("req", "-x509", ...key, "-subj", `/CN=${name}`, ...files);
  }
  openssl("req", ...key, "-subj", "/CN=server", "-keyout", file("server.key"), "-out", file("server.csr"));
  writeFileSync(file("names"), `subjectAltName=${names.map((name) => `DNS:${name}`).join()}`);
  const authority = ["-CA", file("ca.pem"), "-CAkey", file("ca.key"), "-CAcreateserial"];
  const request = ["-req", "-in", file("server.csr"), "-days", String(days), "-extfile", file("names")];
  openssl("x509", ...request, ...authority, "-out", file("server.pem"));
  giveToServer(file("server.key"));
  return {
    ca: file("ca.pem"),
    otherCa: file("other.pem"),
    certificate: file("server.pem"),
    key: file("server.key"),
  };
}
