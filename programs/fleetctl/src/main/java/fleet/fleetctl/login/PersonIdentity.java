package fleet.fleetctl.login;

import static java.nio.charset.StandardCharsets.US_ASCII;

import fleet.core.text.PemText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The key and certificate of a person, and the authorities to trust about servers. All of it is in
 * one PEM file, so that it is replaced at once.
 *
 * @param authorities at least one
 */
public record PersonIdentity(
    PrivateKey key, X509Certificate certificate, List<X509Certificate> authorities) {

  private static final Pattern NAME = Pattern.compile("(?:^|.*,)CN=([^,]+).*");

  /** How much earlier a certificate begins than it was made: clocks may differ. */
  private static final Duration SKEW = Duration.ofDays(1);

  public PersonIdentity {
    authorities = List.copyOf(authorities);
  }

  /**
   * Puts together what a server has answered.
   *
   * @param certificate in PEM
   * @param authorities in PEM
   * @throws IOException if that does not belong together; the message is for people
   */
  public static PersonIdentity of(PrivateKey key, String certificate, String authorities)
      throws IOException {
    try {
      List<X509Certificate> own = certificates(certificate);
      List<X509Certificate> signers = certificates(authorities);
      if (own.size() != 1 || signers.isEmpty()) {
        throw new IOException("the server's answer has no certificate: is it a fleetd?");
      }
      return new PersonIdentity(key, own.getFirst(), signers);
    } catch (GeneralSecurityException e) {
      throw new IOException("the server's certificate cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Reads a file.
   *
   * @throws IOException if it holds none; the message is for people
   */
  public static PersonIdentity read(Path file) throws IOException {
    try {
      String text = Files.readString(file, US_ASCII);
      List<X509Certificate> certificates = certificates(text);
      List<byte[]> keys = PemText.blocks(PemText.KEY, text);
      if (keys.size() != 1 || certificates.size() < 2) {
        throw new IOException(file + " holds no key with its certificate: log in again");
      }
      return new PersonIdentity(
          KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(keys.getFirst())),
          certificates.getFirst(),
          certificates.subList(1, certificates.size()));
    } catch (NoSuchFileException e) {
      throw new IOException("there is no file " + file + ": log in again", e);
    } catch (GeneralSecurityException e) {
      throw new IOException(file + " cannot be used: log in again: " + e.getMessage(), e);
    }
  }

  private static List<X509Certificate> certificates(String text) throws GeneralSecurityException {
    List<X509Certificate> certificates = new ArrayList<>();
    for (byte[] der : PemText.blocks(PemText.CERTIFICATE, text)) {
      certificates.add(
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(der)));
    }
    return certificates;
  }

  /** Replaces what is there; the file is for its owner alone. */
  public void write(Path file) throws IOException {
    StringBuilder text = new StringBuilder(PemText.block(PemText.KEY, key.getEncoded()));
    try {
      text.append(PemText.block(PemText.CERTIFICATE, certificate.getEncoded()));
      for (X509Certificate authority : authorities) {
        text.append(PemText.block(PemText.CERTIFICATE, authority.getEncoded()));
      }
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
    Path next = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(next);
    try (FileChannel channel =
        FileChannel.open(
            next,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(US_ASCII));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** The name of the person. */
  public String name() {
    Matcher name = NAME.matcher(certificate.getSubjectX500Principal().getName());
    return name.matches() ? name.group(1) : "NAME";
  }

  public Instant expires() {
    return certificate.getNotAfter().toInstant();
  }

  /** Half of the time for which the certificate is good: then it is renewed. */
  Duration halfLife() {
    Instant made = certificate.getNotBefore().toInstant().plus(SKEW);
    return Duration.between(made, expires()).dividedBy(2);
  }

  /** Without the key. */
  @Override
  public String toString() {
    return name() + " until " + expires();
  }
}
