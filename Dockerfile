# The product alone: no npm Node, no sandbox, no development tools.
# The digest is that of the image index for amd64, arm64 and ppc64le, as published in docker-library/repo-info,
# repos/node/remote/24.21.0-bookworm-slim.md at 3179cb4d576b9929bf86873c87f279ac67661c6e.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/tmp/node-compile-cache \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATABASE_URL=sqlite:/data/patchbay.sqlite \
    PATCHBAY_CONFIG=/etc/patchbay/patchbay.yml
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json manifest.yml LICENSE ./
COPY src ./src
RUN rm -rf src/sandbox && mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
# Alive is enough here: a container must not be restarted because Slack or the service is away.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# A stop takes up to 25 s: run it with --stop-timeout 30 (the default of Docker is 10).
# No npm in between: signals reach the product itself.
CMD ["node", "src/patchbay.js", "start"]
