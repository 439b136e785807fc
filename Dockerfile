# Verdict with its engines, for stdio and HTTP. What it needs at run time, and what was tested: docs/container.md.
# The base has Node 20.19 or newer, apt and, among its packages, a CPython without the memory error gh-120384: 3.13 in trixie.
# bookworm's 3.11.2 has it. The base is named by its tag; name a digest
# with --build-arg BASE=… to get the same one each time.
ARG BASE=node:24-trixie-slim

FROM ${BASE} AS build
# The system's packages come from the base's own release: a pinned version would be gone with its next update.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends python3 python3-venv \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/verdict
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund
# The private Python environments, from files that hold the hashes of all packages. Without a group, a call that needs it
# is answered by a fault: nothing is fetched at run time.
ARG PYTHON_GROUPS="smt cp solvers"
ENV VERDICT_ENVIRONMENTS=/opt/verdict/environments VERDICT_DATA=/tmp/data
RUN node dist/cli.mjs setup \
 && for group in ${PYTHON_GROUPS}; do node dist/cli.mjs setup "${group}" || exit 1; done \
 && python3 -m compileall -q dist/python

FROM ${BASE}
# tini is the first process: it passes signals on, and takes leave of processes whose parents have ended.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends python3 tini \
 && rm -rf /var/lib/apt/lists/* \
 && ln -s /opt/verdict/dist/cli.mjs /usr/local/bin/verdict \
 && install --directory --owner=10001 --group=10001 --mode=700 /data
COPY --from=build /opt/verdict/package.json /opt/verdict/package.json
COPY --from=build /opt/verdict/node_modules /opt/verdict/node_modules
COPY --from=build /opt/verdict/environments /opt/verdict/environments
COPY --from=build /opt/verdict/dist /opt/verdict/dist
COPY docker/health.mjs /opt/verdict/health.mjs
ENV NODE_ENV=production \
    HOME=/tmp \
    VERDICT_DATA=/data \
    VERDICT_ENVIRONMENTS=/opt/verdict/environments
USER 10001:10001
# Jobs, memos and compiled code; all else may be read-only, but for /tmp.
VOLUME ["/data"]
EXPOSE 8321
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["node", "/opt/verdict/health.mjs"]
ENTRYPOINT ["tini", "--", "verdict"]
CMD ["serve"]
