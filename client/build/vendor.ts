// React and the router in a chunk of its own. It changes only with their versions and with what the client uses of them, so
// browsers keep it from release to release.
import "react";
import "react-dom/client";
import "react/jsx-runtime";
export { createBrowserRouter } from "react-router";
export { RouterProvider } from "react-router/dom";
