package fleet.trust;

import static java.nio.charset.StandardCharsets.US_ASCII;

import fleet.core.machine.Role;
import fleet.registry.records.AuthorityRecord;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** The certificate authority of a cluster. Safe for use by many threads. */
final class CertificateAuthority {

  /** The tolerated difference between the clocks of issuer and machine. */
  static final Duration SKEW = Duration.ofDays(1);

  private static final Duration LIFE = Duration.ofDays(30 * 365);
  private static final int SERIAL_BITS = 127;
  private static final SecureRandom CHANCE = new SecureRandom();

  private final PrivateKey key;
  private final X509Certificate certificate;

  /** The holder of a key as an authority, whether it may be one or not. */
  CertificateAuthority(PrivateKey key, X509Certificate certificate) {
    this.key = key;
    this.certificate = certificate;
  }

  /** A new one, that no other is like. */
  static CertificateAuthority create(Instant now) {
    KeyPair pair = CertificateRequest.newKey();
    byte[] name = new byte[4];
    CHANCE.nextBytes(name);
    var subject = new X500Principal("CN=cluster " + HexFormat.of().formatHex(name) + ",O=fleet");
    X509v3CertificateBuilder builder =
        builder(subject, subject, pair.getPublic(), now, now.plus(LIFE));
    return new CertificateAuthority(
        pair.getPrivate(), signed(asAuthority(builder), pair.getPrivate()));
  }

  /**
   * As it is stored.
   *
   * @param key that its own is sealed with
   */
  static CertificateAuthority of(AuthorityRecord stored, ServerKey key) throws TrustException {
    try {
      byte[] pem = key.open(stored.sealedKey(), about(Pem.certificate(stored.certificate())));
      return new CertificateAuthority(
          Pem.key(new String(pem, US_ASCII)), Pem.certificate(stored.certificate()));
    } catch (GeneralSecurityException e) {
      throw unreadable(e);
    }
  }

  /** As an older version stored it. */
  static CertificateAuthority ofClear(AuthorityRecord stored) throws TrustException {
    try {
      return new CertificateAuthority(
          Pem.key(stored.clearKey()), Pem.certificate(stored.certificate()));
    } catch (GeneralSecurityException e) {
      throw unreadable(e);
    }
  }

  static X509Certificate certificateOf(String pem) throws TrustException {
    try {
      return Pem.certificate(pem);
    } catch (GeneralSecurityException e) {
      throw unreadable(e);
    }
  }

  private static TrustException unreadable(GeneralSecurityException why) {
    return new TrustException(
        "the cluster's authority, key ca of the registry, cannot be read: restore it from a"
            + " backup, or delete it and have every machine join again",
        why);
  }

  /** With its key sealed. */
  AuthorityRecord stored(ServerKey with) {
    String sealed = with.seal(Pem.of(key).getBytes(US_ASCII), about(certificate));
    return new AuthorityRecord(Pem.of(certificate), sealed, with.id());
  }

  private static String about(X509Certificate certificate) {
    return "authority " + Fingerprint.of(certificate);
  }

  X509Certificate certificate() {
    return certificate;
  }

  /** Cross-signs another authority, for machines that know only this one. */
  X509Certificate crossSign(X509Certificate other) {
    X509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            certificate.getSubjectX500Principal(),
            new BigInteger(SERIAL_BITS, CHANCE).setBit(SERIAL_BITS),
            other.getNotBefore(),
            // The sooner of both ends.
            Date.from(
                Collections.min(
                    List.of(
                        other.getNotAfter().toInstant(), certificate.getNotAfter().toInstant()))),
            other.getSubjectX500Principal(),
            other.getPublicKey());
    return signed(asAuthority(builder), key);
  }

  private static X509v3CertificateBuilder asAuthority(X509v3CertificateBuilder builder) {
    try {
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
      return builder;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Vouches that the holder of a key is a machine, for some time from now. */
  X509Certificate vouch(PublicKey holder, Peer peer, Instant now, Duration life) {
    return issued(holder, peer.subject(), peer.role(), List.of(), now, end(now, life));
  }

  /** Issues a certificate for a person with a grant. */
  X509Certificate vouchForPerson(PublicKey holder, String name, Instant now, Duration life) {
    X500Principal subject = PersonName.subject(name);
    return issued(holder, subject, Role.AGENT, List.of(), now, end(now, life));
  }

  private Instant end(Instant now, Duration life) {
    return Collections.min(List.of(now.plus(life), certificate.getNotAfter().toInstant()));
  }

  /**
   * Vouches for a server and client that is no machine of the cluster.
   *
   * @param name common name
   * @param names and addresses that it is reached by; a client alone has none
   */
  X509Certificate certify(
      PublicKey holder, String name, List<String> names, Instant now, Instant end) {
    var subject = new X500Principal("CN=" + name + ",O=fleet etcd");
    Role role = names.isEmpty() ? Role.AGENT : Role.SERVER;
    return issued(holder, subject, role, names, now, end);
  }

  private X509Certificate issued(
      PublicKey holder,
      X500Principal subject,
      Role role,
      List<String> names,
      Instant now,
      Instant end) {
    X509v3CertificateBuilder builder =
        builder(certificate.getSubjectX500Principal(), subject, holder, now, end);
    try {
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      builder.addExtension(Extension.extendedKeyUsage, true, purposes(role));
      if (!names.isEmpty()) {
        builder.addExtension(Extension.subjectAlternativeName, false, alternatives(names));
      }
      return signed(builder, key);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static GeneralNames alternatives(List<String> names) {
    return new GeneralNames(
        names.stream()
            .map(name ->
                new GeneralName(
                    EtcdAuthority.isAddress(name) ? GeneralName.iPAddress : GeneralName.dNSName,
                    name))
            .toArray(GeneralName[]::new));
  }

  private static ExtendedKeyUsage purposes(Role role) {
    return switch (role) {
      case AGENT -> new ExtendedKeyUsage(KeyPurposeId.id_kp_clientAuth);
      case SERVER ->
          new ExtendedKeyUsage(
              new KeyPurposeId[] {KeyPurposeId.id_kp_clientAuth, KeyPurposeId.id_kp_serverAuth});
    };
  }

  private static X509v3CertificateBuilder builder(
      X500Principal issuer, X500Principal subject, PublicKey holder, Instant now, Instant end) {
    return new JcaX509v3CertificateBuilder(
        issuer,
        new BigInteger(SERIAL_BITS, CHANCE).setBit(SERIAL_BITS),
        Date.from(now.minus(SKEW)),
        Date.from(end),
        subject,
        holder);
  }

  private static X509Certificate signed(X509v3CertificateBuilder builder, PrivateKey key) {
    try {
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(new JcaContentSignerBuilder(CertificateRequest.SIGNATURE).build(key)));
    } catch (OperatorCreationException | GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime cannot sign certificates", e);
    }
  }
}
