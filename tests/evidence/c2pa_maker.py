"""Signs pictures with C2PA manifests by a certificate chain made on the spot."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from io import BytesIO

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from PIL import Image


@lru_cache(maxsize=1)
def _chain() -> tuple[bytes, bytes]:
    """(certificates, private key) as PEM: a signer below a root."""
    root_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    root_name = _name("Tollgate Root")
    root = _certificate(root_name, root_name, root_key.public_key(), root_key, root_key.public_key(), ca=True)
    leaf = _certificate(_name("Tollgate Post"), root_name, key.public_key(), root_key, root_key.public_key(), ca=False)
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return leaf.public_bytes(pem) + root.public_bytes(pem), private


def _name(name: str) -> x509.Name:
    return x509.Name(
        [
            x509.NameAttribute(NameOID.COMMON_NAME, name),
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Tollgate"),
        ]
    )


def _certificate(
    subject: x509.Name,
    issuer: x509.Name,
    public: ec.EllipticCurvePublicKey,
    signer: ec.EllipticCurvePrivateKey,
    authority: ec.EllipticCurvePublicKey,
    *,
    ca: bool,
) -> x509.Certificate:
    now = datetime.now(UTC)
    usage = x509.KeyUsage(
        digital_signature=not ca,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=ca,
        crl_sign=ca,
        encipher_only=False,
        decipher_only=False,
    )
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=2))
        .not_valid_after(now + timedelta(days=30))
        .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority), critical=False)
    )
    if not ca:
        made = made.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.EMAIL_PROTECTION]), critical=False)
    return made.sign(signer, hashes.SHA256())


def signed_jpeg(image: Image.Image) -> bytes:
    """The picture as JPEG with a manifest that names its maker, an edit and no ingredient."""
    import c2pa

    plain = BytesIO()
    image.save(plain, "JPEG", quality=92)
    plain.seek(0)
    manifest = {
        "claim_generator_info": [{"name": "Tollgate Camera", "version": "1.0"}],
        "title": "harbour.jpg",
        "assertions": [
            {
                "label": "c2pa.actions",
                "data": {
                    "actions": [
                        {
                            "action": "c2pa.created",
                            "digitalSourceType": "http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture",
                        },
                        {"action": "c2pa.cropped"},
                    ]
                },
            }
        ],
    }
    certificates, key = _chain()
    info = c2pa.C2paSignerInfo(alg=c2pa.C2paSigningAlg.ES256, sign_cert=certificates, private_key=key, ta_url=None)
    out = BytesIO()
    with c2pa.Signer.from_info(info) as signer, c2pa.Builder(json.dumps(manifest)) as builder:
        builder.sign(signer, "image/jpeg", plain, out)
    return out.getvalue()
