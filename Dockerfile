# An image with the static program only: no shell, and not run as root.
#   docker build -t dedup .
#   docker run --rm -v "$PWD:/work:ro" dedup corpus submissions
# It cannot read PDFs and old .doc files, for which it lacks pdftotext and antiword.
FROM rust:1.95-slim AS build
# For the allocator, which is in C.
# hadolint ignore=DL3008
RUN apt-get update && apt-get install --yes --no-install-recommends musl-tools
ENV TARGET_CC=musl-gcc
WORKDIR /dedup
RUN rustup target add "$(uname -m)-unknown-linux-musl"
COPY Cargo.toml Cargo.lock askama.toml build.rs LICENSE ./
COPY .cargo .cargo
COPY benches benches
COPY src src
RUN target="$(uname -m)-unknown-linux-musl" \
    && cargo build --locked --profile dist --bin dedup --target "$target" \
    && cp "target/$target/dist/dedup" dedup

FROM scratch
LABEL org.opencontainers.image.title="dedup" \
      org.opencontainers.image.description="Decides whether two texts are near-duplicates" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /dedup/LICENSE /LICENSE
COPY --from=build /dedup/dedup /usr/bin/dedup
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["/usr/bin/dedup"]
