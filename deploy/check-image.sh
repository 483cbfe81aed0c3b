#!/usr/bin/env bash
# The commands of the Dockerfile without a container engine: install, build and prune in a copy, then start what is left
# as another user from a tree that cannot be written. Needs Node 24 in PATH, root (for the read-only mount), and
# DATABASE_URL, REDIS_URL of an empty PostgreSQL database and a Redis.
set -euo pipefail
cd "$(dirname "$0")/.."
work="$(mktemp -d)"
trap 'kill "${service:-}" 2>/dev/null || true; rm -rf "$work"' EXIT
mkdir -p "$work/build" "$work/app"

echo '== stage build: npm ci, npm run build'
cp -r package.json package-lock.json tsconfig.json tsconfig.build.json tsconfig.browser.json src adapters interactions drizzle scripts packages \
  "$work/build"
(cd "$work/build" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && npm run --silent build)

echo '== stage dependencies: npm ci --omit=dev'
cp package.json package-lock.json "$work/app"
(cd "$work/app" && npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error \
  && rm -rf node_modules/node-linux-* node_modules/node-win-*)

echo '== last stage: what runs'
cp -r "$work/build/dist" "$work/app/dist"
mkdir -p "$work/app/drizzle" && cp -r drizzle/migrations "$work/app/drizzle/migrations"
mkdir -p "$work/app/examples" && cp -r examples/quickstarts examples/webhooks "$work/app/examples"
cp -r docs "$work/app/docs"
rm "$work/app/package-lock.json"
du -sh "$work/app" | cut -f1
chmod 755 "$work"
node="$(readlink -f "$(command -v node)")"

echo '== one start for the compiled code'
mkdir "$work/app/dist/compile-cache" "$work/first-start"
chown 65534:65534 "$work/app/dist/compile-cache" "$work/first-start"
setpriv --reuid=65534 --regid=65534 --clear-groups env -i PATH=/usr/bin:/bin NODE_ENV=production PORT=3931 \
  OPERATIONS_PORT=9931 DATA_DIR="$work/first-start/data" timeout --preserve-status 20 "$node" "$work/app/dist/src/cli.js" start
chown -R 0:0 "$work/app/dist/compile-cache" && chmod -R a+rX "$work/app/dist/compile-cache"

cat > "$work/run.sh" <<'RUN'
mount --bind "$1/app" "$1/app" && mount -o remount,bind,ro "$1/app"
cd "$1/app"
if touch written 2>/dev/null; then echo 'the tree can be written'; exit 1; fi
exec setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --no-new-privs \
  env -i PATH=/usr/bin:/bin NODE_ENV=production HOST=127.0.0.1 PORT=3931 OPERATIONS_PORT=9931 DATA_DIR=/data \
  BASE_URL=http://localhost:3931 DATABASE_URL="$DATABASE_URL" REDIS_URL="$REDIS_URL" SHUTDOWN_DELAY=1 \
  TOLLGATE_SECRET="$(head -c 48 /dev/urandom | base64 -w0)" \
  "$2" dist/src/cli.js start
RUN
unshare --mount bash "$work/run.sh" "$work" "$node" &
service=$!
for _ in $(seq 60); do
  sleep 0.5
  if curl -fsS http://127.0.0.1:9931/readyz 2>/dev/null; then ready=1; break; fi
done
[ "${ready:-}" = 1 ] || { echo 'not ready'; exit 1; }
echo
echo '== the image'"'"'s health check, discovery, and memory'
"$node" -e "fetch('http://127.0.0.1:9931/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"
curl -fsS http://127.0.0.1:3931/.well-known/openid-configuration | head -c 120; echo
curl -fsS http://127.0.0.1:9931/metrics | grep -E '^process_resident_memory_bytes'
echo '== SIGTERM'
kill -TERM "$service"
wait "$service" && echo "stopped with $?"
