/** Bun imports a sheet as nothing; the build finds it by its import (client/build/bundle-scripts.ts). */
declare module "*.css";
