package fleet.trust;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The file of a machine's identity: one PEM file with key, certificate and its issuer, so that they
 * are replaced together, for its owner alone. While the authority is being replaced, the other one
 * follows, and a cross-signed one; then a line for each former one, and for each removed server.
 */
public final class IdentityFile {

  /** Its own, and the authority's. */
  private static final int LEAST_CERTIFICATES = 2;

  private static final String FORMER = "Former authority: ";
  private static final String REMOVED_SERVER = "Removed server: ";

  private final Path file;

  /**
   * @param file in a directory that exists
   */
  public IdentityFile(Path file) {
    this.file = file;
  }

  @Override
  public String toString() {
    return file.toString();
  }

  /**
   * The identity that was written last; empty if none was.
   *
   * @throws TrustException if the file holds something else
   * @throws IOException if it cannot be read
   */
  Optional<Identity> read() throws IOException, TrustException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      String text = Files.readString(file, US_ASCII);
      List<X509Certificate> certificates = Pem.certificates(text);
      if (certificates.size() < LEAST_CERTIFICATES) {
        throw new GeneralSecurityException(certificates.size() + " certificates are in it");
      }
      Identity identity = Identity.of(Pem.key(text), certificates.get(0), certificates.get(1));
      return Optional.of(believing(identity, certificates, text));
    } catch (IllegalArgumentException
        | GeneralSecurityException
        | TrustException
        | CharacterCodingException e) {
      throw new TrustException(
          "%s holds no identity of a machine (%s)".formatted(file, e.getMessage()), e);
    }
  }

  private static Identity believing(
      Identity identity, List<X509Certificate> certificates, String text) {
    List<X509Certificate> authorities = certificates.subList(1, certificates.size());
    return new Identity(
        identity.peer(),
        identity.key(),
        identity.certificate(),
        identity.authority(),
        authorities.stream().filter(IdentityFile::isSelfSigned).toList(),
        authorities.stream().filter(shown -> !isSelfSigned(shown)).findFirst(),
        values(text, FORMER).map(Fingerprint::new).toList(),
        values(text, REMOVED_SERVER).toList());
  }

  private static boolean isSelfSigned(X509Certificate authority) {
    return authority.getSubjectX500Principal().equals(authority.getIssuerX500Principal());
  }

  private static Stream<String> values(String text, String name) {
    return text.lines()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()));
  }

  /**
   * The kept identity, if it is usable.
   *
   * @throws TrustException if the file holds something else than an identity
   * @throws IOException if it cannot be read
   */
  public Optional<Identity> kept(Predicate<Identity> willDo) throws IOException, TrustException {
    return read().filter(willDo);
  }

  /**
   * Gets an identity for a machine and keeps it in place of the former one.
   *
   * @throws TrustException if the issuer refuses
   * @throws IOException if no issuer can be reached now, or the file cannot be written
   */
  public Identity obtain(String machine, Issuer issuer)
      throws IOException, TrustException, InterruptedException {
    return obtain(machine, CertificateRequest.of(machine), issuer);
  }

  /** The same with a request made before, which may have been granted and the answer lost. */
  public Identity obtain(String machine, CertificateRequest request, Issuer issuer)
      throws IOException, TrustException, InterruptedException {
    Identity identity = Identity.of(request, issuer.issue(request));
    if (!identity.peer().machine().equals(machine)) {
      throw new TrustException(
          "the certificate that was made for machine " + machine + " is for " + identity.peer());
    }
    Identity known = formerly(identity);
    write(known);
    return known;
  }

  /** With what is there, if it can be read. */
  private Identity formerly(Identity identity) throws IOException {
    try {
      return read().map(identity::after).orElse(identity);
    } catch (TrustException damaged) {
      return identity;
    }
  }

  private static String text(Identity identity) {
    StringBuilder text =
        new StringBuilder(Pem.of(identity.key()))
            .append(Pem.of(identity.certificate()))
            .append(Pem.of(identity.authority()));
    identity.trusted().stream()
        .filter(authority -> !authority.equals(identity.authority()))
        .map(Pem::of)
        .forEach(text::append);
    identity.crossSigned().map(Pem::of).ifPresent(text::append);
    identity.former().forEach(one -> text.append(FORMER).append(one).append('\n'));
    identity.removedServers().forEach(one -> text.append(REMOVED_SERVER).append(one).append('\n'));
    return text.toString();
  }

  /** Replaces what is there, and returns when it is on the disk. */
  void write(Identity identity) throws IOException {
    String text = text(identity);
    Path next = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(next);
    try (FileChannel channel =
        FileChannel.open(
            next,
            Set.of(CREATE_NEW, WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(US_ASCII));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel directory = FileChannel.open(next.toAbsolutePath().getParent(), READ)) {
      directory.force(true);
    }
  }
}
