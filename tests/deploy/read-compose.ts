import { readFileSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";

const FILE = path.join(import.meta.dir, "../../compose.yaml");

const service = v.object({
  image: v.string(),
  build: v.optional(v.object({ args: v.record(v.string(), v.string()) })),
  user: v.optional(v.string()),
  read_only: v.optional(v.boolean()),
  cap_drop: v.optional(v.array(v.string()), []),
  cap_add: v.optional(v.array(v.string()), []),
  privileged: v.optional(v.boolean()),
  security_opt: v.optional(v.array(v.string()), []),
  tmpfs: v.optional(v.array(v.string()), []),
  mem_limit: v.optional(v.string()),
  pids_limit: v.optional(v.number()),
  logging: v.optional(v.object({ options: v.record(v.string(), v.string()) })),
  ports: v.optional(v.array(v.string()), []),
  volumes: v.optional(v.array(v.string()), []),
  env_file: v.optional(v.string()),
  command: v.optional(v.array(v.string()), []),
  environment: v.optional(v.record(v.string(), v.string()), {}),
  networks: v.record(v.string(), v.object({ ipv4_address: v.optional(v.string()) })),
});
const composeFile = v.object({
  services: v.record(v.string(), service),
  networks: v.record(v.string(), v.object({ internal: v.optional(v.boolean(), false) })),
});
export type Service = v.InferOutput<typeof service>;

/** The parts of compose.yaml that tests look at, with what its anchors stand for. */
export function readCompose(): v.InferOutput<typeof composeFile> {
  return v.parse(composeFile, Bun.YAML.parse(readFileSync(FILE, "utf8")));
}

/** The variables that a container gets: its file, then its own, with the values of `.env` put in as Compose does it. */
export function variablesIn(
  given: Service | undefined,
  settings: Record<string, string>,
): Record<string, string> {
  const variables: Record<string, string> = given?.env_file === ".env" ? { ...settings } : {};
  for (const [name, text] of Object.entries(given?.environment ?? {}))
    variables[name] = fillIn(text, settings);
  return variables;
}

/** Puts the values of `.env` into a text. */
function fillIn(text: string, settings: Record<string, string>): string {
  return text.replaceAll(
    /\$\{(\w+)(?::([?+-])((?:\$\{\w+\}|[^}])*))?\}/g,
    (_all, from: string, operator = "", other: string = "") => {
      const value = settings[from] ?? "";
      return operator === "+" && value !== "" ? fillIn(other, settings) : value;
    },
  );
}
