#!/bin/sh
# Looks up the digests of the images that compose.yaml uses, and writes them into .env: sh deploy/pin-images.sh
# Run it once, and whenever the images' corrections are to be taken; then build and restart as deploy/machines.md says.
set -eu
cd "$(dirname "$0")/.."
umask 077
pins=$(mktemp)
trap 'rm -f "$pins"' EXIT
while read -r name image; do
  docker pull --quiet "$image" > /dev/null
  pin=$(docker image inspect --format '{{index .RepoDigests 0}}' "$image")
  if ! expr "$pin" : '[^ ]*@sha256:[0-9a-f]\{64\}$' > /dev/null; then
    echo "$image has no digest, but \"$pin\". Ask the registry again; .env is as it was." >&2
    exit 1
  fi
  echo "$name=$pin" >> "$pins"
  echo "$image is $pin"
done << IMAGES
BUN_IMAGE docker.io/oven/bun:1.4.5-slim
NGINX_IMAGE docker.io/library/nginx:1.28
POSTGRES_IMAGE docker.io/library/postgres:18
REDIS_IMAGE docker.io/library/redis:8
IMAGES
touch .env
grep -vE '^(BUN|NGINX|POSTGRES|REDIS)_IMAGE=' .env > "$pins.env" || true
cat "$pins" >> "$pins.env"
mv "$pins.env" .env
