# syntax=docker/dockerfile:1
# The service as an image: built in one stage, and only what runs copied into the next. It writes nothing to its own
# file system, runs as nobody in particular, and takes all of its settings from the environment (.env.example).
# deploy/check-image.sh runs the same commands without a container engine.
ARG NODE_VERSION=24.21.0

FROM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json tsconfig.browser.json ./
COPY src src
COPY adapters adapters
COPY interactions interactions
COPY drizzle drizzle
COPY scripts scripts
COPY packages/webhooks packages/webhooks
RUN npm run build

FROM node:${NODE_VERSION}-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# The Node that package.json pins is for machines with another one; this image is that Node.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node-linux-* node_modules/node-win-*

FROM node:${NODE_VERSION}-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 OPERATIONS_PORT=9464 DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
COPY drizzle/migrations drizzle/migrations
COPY examples/quickstarts examples/quickstarts
COPY examples/webhooks examples/webhooks
COPY docs docs
# Only the embedded mode (no DATABASE_URL) writes here: give it a volume then.
RUN mkdir /data && chown 1000:1000 /data
# One start, for the compiled code that it leaves to all later ones (src/cli.ts). Node keeps it for each user apart, so it
# is this user's start; afterwards nobody but root can write what will be run.
RUN mkdir dist/compile-cache && chown 1000:1000 dist/compile-cache
USER 1000:1000
RUN HOST=127.0.0.1 DATA_DIR=/tmp/first-start timeout --preserve-status 20 node dist/src/cli.js start && rm -r /tmp/first-start
USER 0:0
RUN chown -R 0:0 dist/compile-cache && chmod -R a+rX dist/compile-cache
USER 1000:1000
EXPOSE 3000 9464
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9464/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "dist/src/cli.js"]
CMD ["start"]
