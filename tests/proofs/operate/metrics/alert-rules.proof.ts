import { expect, test } from "bun:test";
import { promtool } from "./promtool.ts";

const FOLDER = "deploy/observability";

test("Prometheus accepts the rules, and each alert fires and is silent as its test says", async () => {
  expect(await promtool(FOLDER, "check", "rules", "alerts.yml")).toBe("passed");
  expect(await promtool(FOLDER, "check", "config", "--syntax-only", "prometheus.yml")).toBe("passed");
  expect(await promtool(FOLDER, "test", "rules", "alerts.test.yml")).toBe("passed");
});
