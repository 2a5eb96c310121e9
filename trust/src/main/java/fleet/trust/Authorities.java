package fleet.trust;

import static java.nio.charset.StandardCharsets.US_ASCII;

import fleet.registry.records.AuthorityRecord;
import fleet.registry.records.AuthorityRecord.Rotation;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The authorities of a cluster: which one signs, and which ones are believed. There are two while
 * one replaces the other.
 *
 * @param signing vouches for machines
 * @param trusted all that are believed, the signing one first
 * @param crossSigned the signing one as the former one vouches for it: shown to those that know
 *     only the former one
 */
public record Authorities(
    X509Certificate signing, List<X509Certificate> trusted, Optional<X509Certificate> crossSigned) {

  public Authorities {
    trusted = List.copyOf(trusted);
  }

  /** The only authority of a cluster. */
  static Authorities only(X509Certificate authority) {
    return new Authorities(authority, List.of(authority), Optional.empty());
  }

  /** As the registry has them. */
  static Authorities of(AuthorityRecord stored) throws TrustException {
    X509Certificate signing = CertificateAuthority.certificateOf(stored.certificate());
    if (stored.rotation().isEmpty()) {
      return only(signing);
    }
    Rotation rotation = stored.rotation().get();
    X509Certificate other = CertificateAuthority.certificateOf(rotation.other());
    return new Authorities(
        signing,
        List.of(signing, other),
        rotation.stage() == AuthorityRecord.Stage.SIGNING
            ? Optional.of(CertificateAuthority.certificateOf(rotation.crossSigned()))
            : Optional.empty());
  }

  /**
   * Reads what was sent, each in DER.
   *
   * @param others that are believed beside
   * @param crossSigned of no bytes where there is none
   */
  public static Authorities of(byte[] signing, List<byte[]> others, byte[] crossSigned)
      throws TrustException {
    try {
      List<X509Certificate> trusted = new ArrayList<>();
      trusted.add(Pem.certificate(signing));
      for (byte[] other : others) {
        trusted.add(Pem.certificate(other));
      }
      return new Authorities(
          trusted.getFirst(),
          trusted,
          crossSigned.length == 0 ? Optional.empty() : Optional.of(Pem.certificate(crossSigned)));
    } catch (CertificateException e) {
      throw new TrustException("the authorities that the server sent cannot be read", e);
    }
  }

  /** Those that are believed beside the signing one. */
  public List<X509Certificate> others() {
    return trusted.subList(1, trusted.size());
  }

  /** Whether a certificate is one of these authorities. */
  boolean has(Fingerprint authority) {
    return trusted.stream().map(Fingerprint::of).anyMatch(authority::equals);
  }

  /** Differs between any two sets of authorities; never 0. */
  public long generation() {
    String all =
        trusted.stream()
            .map(Fingerprint::of)
            .map(Fingerprint::sha256)
            .collect(Collectors.joining());
    String digest = Fingerprint.sha256(all.getBytes(US_ASCII));
    return Long.parseUnsignedLong(digest.substring(0, Long.BYTES * 2), 16) | 1;
  }
}
