// React in a chunk of its own, which does not change from build to build.
import "react";
import "react-dom/client";
import "react/jsx-runtime";
