import { defineConfig } from "drizzle-kit";

// Run from the top: bun drizzle-kit generate --config db/drizzle.config.ts --name <what>
export default defineConfig({
  dialect: "postgresql",
  casing: "snake_case",
  schema: "./db/schema",
  out: "./db/migrations",
});
