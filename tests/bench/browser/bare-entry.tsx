import { createElement, type MouseEvent, type ReactNode, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";

// The browser's code of the bare page: React alone. Its tree is that of the markup, so there is no application, no router and no
// data. Its buttons have handlers that do nothing but keep the browser from submitting the form.

const root = document.querySelector<HTMLElement>("#root");
if (root === null) throw new Error("The page has no #root.");
hydrateRoot(root, <Live element={root}>{treeOf(root)}</Live>, {
  onRecoverableError: (error) => {
    throw error instanceof Error ? error : new Error(String(error));
  },
});

/** Marks the page as live once React has hydrated it. */
function Live({ element, children }: { element: HTMLElement; children: ReactNode }) {
  useEffect(() => {
    Object.assign(element.dataset, { hydrated: "true" });
  }, [element]);
  return children;
}

function keepPage(event: MouseEvent): void {
  event.preventDefault();
}

function treeOf(parent: Element): ReactNode[] {
  return [...parent.childNodes].flatMap((node, key): ReactNode[] => {
    if (node instanceof Text) return [node.data];
    if (!(node instanceof Element)) return [];
    // React finds a hidden field by these two.
    const field = node instanceof HTMLInputElement ? { type: node.type, name: node.name } : undefined;
    const onClick = node instanceof HTMLButtonElement ? keepPage : undefined;
    const props = { key, className: node.getAttribute("class") ?? undefined, onClick, ...field };
    return [createElement(node.localName, props, ...treeOf(node))];
  });
}
