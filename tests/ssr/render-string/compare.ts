import { expect } from "bun:test";
import type { ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { renderWithReact } from "#src/ssr/render-app.ts";
import { renderString } from "#src/ssr/render-string/render-string.ts";

/** React's own string. */
export function renderByReact(node: ReactNode): string {
  return renderToString(node);
}

/**
 * Checks that the string renderer writes what React writes: both its string, and what the product would send without this
 * renderer. Rendered twice, so that kept parts are compared when they are made and when they are used.
 */
export async function expectReactsBytes(node: ReactNode): Promise<string> {
  const expected = renderByReact(node);
  const errors: unknown[] = [];
  const streamed = await renderWithReact(node, { nonce: "n", onError: (error) => errors.push(error) });
  expect(errors).toEqual([]);
  expect(streamed).toEqual({ html: expected, rest: null });
  for (let round = 0; round < 2; round += 1) {
    expect(renderString(node)).toEqual({ html: expected, leftToReact: null, error: null });
  }
  return expected;
}
