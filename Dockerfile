# Built without a network, from packages that were downloaded before; docs/service.md says how.
FROM python:3.12-slim

COPY . /src
RUN pip install --no-index --find-links /src/wheels --require-hashes --requirement /src/requirements.lock \
    && pip install --no-index --find-links /src/wheels hatchling \
    && pip install --no-index --no-deps --no-build-isolation /src \
    && rm -r /src \
    && useradd --create-home --uid 10001 desk \
    && install -d -o desk -m 700 /data

USER desk
ENV FACTDESK_HOME=/data
WORKDIR /data
VOLUME /data
EXPOSE 8765
ENTRYPOINT ["factdesk"]
CMD ["serve", "--host", "0.0.0.0", "--token-file", "/run/secrets/token"]
