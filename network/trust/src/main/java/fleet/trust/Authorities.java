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
import java.util.stream.Stream;

/**
 * The authorities of a cluster: the signing one, and the trusted ones. There are two while one
 * replaces the other.
 *
 * @param signing signs certificates of machines
 * @param trusted all trusted ones, the signing one first
 * @param crossSigned the signing one, cross-signed by the former one: shown to machines that know
 *     only the former one
 * @param removedServers SHA-256 of the public keys of removed servers: their certificates are not
 *     trusted any more
 */
public record Authorities(
    X509Certificate signing,
    List<X509Certificate> trusted,
    Optional<X509Certificate> crossSigned,
    List<String> removedServers) {

  public Authorities {
    trusted = List.copyOf(trusted);
    removedServers = List.copyOf(removedServers);
  }

  /** The only authority of a cluster. */
  static Authorities only(X509Certificate authority) {
    return new Authorities(authority, List.of(authority), Optional.empty(), List.of());
  }

  /** As the registry has them. */
  static Authorities of(AuthorityRecord stored) throws TrustException {
    X509Certificate signing = CertificateAuthority.certificateOf(stored.certificate());
    List<String> removed = List.copyOf(stored.removedServers().keySet());
    if (stored.rotation().isEmpty()) {
      return new Authorities(signing, List.of(signing), Optional.empty(), removed);
    }
    Rotation rotation = stored.rotation().get();
    X509Certificate other = CertificateAuthority.certificateOf(rotation.other());
    return new Authorities(
        signing,
        List.of(signing, other),
        rotation.stage() == AuthorityRecord.Stage.SIGNING
            ? Optional.of(CertificateAuthority.certificateOf(rotation.crossSigned()))
            : Optional.empty(),
        removed);
  }

  /**
   * Reads received authorities, each in DER.
   *
   * @param others further trusted ones
   * @param crossSigned of no bytes if there is none
   */
  public static Authorities of(
      byte[] signing, List<byte[]> others, byte[] crossSigned, List<String> removedServers)
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
          crossSigned.length == 0 ? Optional.empty() : Optional.of(Pem.certificate(crossSigned)),
          removedServers);
    } catch (CertificateException e) {
      throw new TrustException("the authorities that the server sent cannot be read", e);
    }
  }

  /** Those that are believed beside the signing one. */
  public List<X509Certificate> others() {
    return trusted.subList(1, trusted.size());
  }

  /** Whether a certificate belongs to a removed server. */
  public boolean hasRemoved(X509Certificate server) {
    return removedServers.contains(Fingerprint.ofKey(server.getPublicKey()));
  }

  /** Whether a certificate is one of these authorities. */
  boolean has(Fingerprint authority) {
    return trusted.stream().map(Fingerprint::of).anyMatch(authority::equals);
  }

  /** The same of which another one vouched for a machine. */
  Authorities signedBy(X509Certificate authority) {
    return new Authorities(authority, trusted, Optional.empty(), removedServers);
  }

  /** Differs between any two sets of authorities and removed servers; never 0. */
  public long generation() {
    String all =
        Stream.concat(
                trusted.stream().map(Fingerprint::of).map(Fingerprint::sha256),
                removedServers.stream())
            .collect(Collectors.joining());
    String digest = Fingerprint.sha256(all.getBytes(US_ASCII));
    return Long.parseUnsignedLong(digest.substring(0, Long.BYTES * 2), 16) | 1;
  }
}
