import "react";
import "react-dom/client";
import "react/jsx-runtime";
