# tscodex-ws in a container: docker build -t tscodex . (see docs/deploy.md for how to run it)
#
# The first stage packs the tarball that is also published; the second installs it and what agents need to work.

FROM node:22-bookworm-slim AS pack
WORKDIR /src
COPY . .
RUN npm run pack -- /out

FROM node:22-bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends bubblewrap ca-certificates curl git less openssh-client procps ripgrep tini \
 && rm -rf /var/lib/apt/lists/*
COPY --from=pack /out /tmp/pack
RUN npm install --global --no-audit --no-fund /tmp/pack/*.tgz \
 && rm -rf /tmp/pack /root/.npm \
 && mkdir -p /state /workspaces \
 && chown node:node /state /workspaces

# not root: uid 1000, which owns the first person's files on most machines; `docker run --user` takes another
USER node
# conversations, configuration and state; the directories the agents work in, and workspaces.json, the list of them
ENV CODEX_HOME=/state
VOLUME ["/state", "/workspaces"]
WORKDIR /workspaces

EXPOSE 6007
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:6007/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# tini reaps what agents' commands leave behind; SIGTERM ends the server in order
ENTRYPOINT ["tini", "--", "tscodex-ws", "--listen", "0.0.0.0:6007"]
