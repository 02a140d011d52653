import { functionGrants, readSchemas, tableGrants } from "#db/roles/grants.ts";
import { neededRules } from "#src/base/watch-redis.ts";

/** The rights that the application's role needs, as deploy/postgres.md lists them. */
export function describePostgresRights(role: string): string {
  const lines = [
    `GRANT USAGE ON SCHEMA ${["public", ...readSchemas].join(", ")} TO ${role};`,
    ...readSchemas.map((schema) => `GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${role};`),
    ...Object.entries(tableGrants).map(
      ([name, privileges]) => `GRANT ${privileges.join(", ").replaceAll(/\s+/g, " ")} ON ${name} TO ${role};`,
    ),
    ...functionGrants.map((name) => `GRANT EXECUTE ON FUNCTION ${name} TO ${role};`),
  ];
  return lines.join("\n");
}

/** The user that Redis needs, as deploy/redis.md has it. */
export function describeRedisUser(user: string, password: string): string {
  return `ACL SETUSER ${user} on >${password} ${neededRules}`;
}
