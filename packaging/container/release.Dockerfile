# The image of a release: as Dockerfile makes it, of programs that are built already.
#   docker buildx build --platform linux/amd64,linux/arm64 --file packaging/container/release.Dockerfile FOLDER
# The folder has amd64/dedup, arm64/dedup and LICENSE.
FROM scratch
ARG TARGETARCH
LABEL org.opencontainers.image.title="dedup" \
      org.opencontainers.image.description="Decides whether two texts are near-duplicates" \
      org.opencontainers.image.licenses="MIT"
COPY LICENSE /LICENSE
COPY ${TARGETARCH}/dedup /usr/bin/dedup
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["/usr/bin/dedup"]
