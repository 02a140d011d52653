// React and react-router in a chunk of its own, which changes only with their versions, so browsers keep it from release to
// release.
import "react";
import "react-dom/client";
import "react/jsx-runtime";
export {
  createBrowserRouter,
  createContext,
  data,
  Form,
  isRouteErrorResponse,
  Link,
  matchRoutes,
  Outlet,
  redirect,
  redirectDocument,
  replace,
  RouterContextProvider,
  useActionData,
  useBlocker,
  useLoaderData,
  useLocation,
  useMatches,
  useNavigate,
  useNavigation,
  useNavigationType,
  useParams,
  useRevalidator,
  useRouteError,
  useRouteLoaderData,
  useSearchParams,
  useSubmit,
} from "react-router";
export { RouterProvider } from "react-router/dom";
