package fleet.registry.etcd;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns before the certificate ends that this machine shows to etcd, since only an operator renews
 * it: at the first look that finds it so, and then once a day. The file is read at each look, since
 * it may be replaced at any time. Safe for use by many threads.
 */
final class OwnCertificate {

  private static final Logger log = LoggerFactory.getLogger(OwnCertificate.class);

  private static final Duration EARLY = Duration.ofDays(30);
  private static final Duration BETWEEN_WARNINGS = Duration.ofDays(1);

  private final Optional<Path> file;
  private final InstantSource clock;
  private final Consumer<String> warning;
  private Optional<String> known = Optional.empty();
  private Optional<Instant> warned = Optional.empty();
  private volatile Runnable change = () -> {};

  /**
   * @param file PEM; empty if no certificate is shown
   * @param warning takes each line that is to be logged
   */
  OwnCertificate(Optional<Path> file, InstantSource clock, Consumer<String> warning) {
    this.file = file;
    this.clock = clock;
    this.warning = warning;
  }

  static OwnCertificate of(EtcdOptions options) {
    return new OwnCertificate(
        options.tls().flatMap(EtcdOptions.Tls::client).map(EtcdOptions.Tls.Client::certificate),
        InstantSource.system(),
        problem -> log.warn("registry: {}", problem));
  }

  /**
   * Has something done, by the thread that looks, whenever a look finds another problem or none.
   */
  void onChange(Runnable work) {
    change = work;
  }

  void look() {
    if (isChanged(problem())) {
      change.run();
    }
  }

  private synchronized boolean isChanged(Optional<String> problem) {
    boolean isChanged = !problem.equals(known);
    known = problem;
    Instant now = clock.instant();
    boolean isQuiet =
        warned.filter(last -> now.isBefore(last.plus(BETWEEN_WARNINGS))).isPresent() && !isChanged;
    if (problem.isPresent() && !isQuiet) {
      warned = Optional.of(now);
      warning.accept(problem.get());
    }
    return isChanged;
  }

  /** The fault of the certificate, present or near, and what to do; empty if there is none. */
  Optional<String> problem() {
    return read().flatMap(certificate -> problem(certificate, EARLY));
  }

  /** Why it is invalid now, and what to do; empty if that is unknown. */
  Optional<String> fault() {
    return read().flatMap(certificate -> problem(certificate, Duration.ZERO));
  }

  private Optional<String> problem(X509Certificate certificate, Duration early) {
    Instant now = clock.instant();
    Instant begin = certificate.getNotBefore().toInstant();
    Instant end = certificate.getNotAfter().toInstant();
    if (now.isBefore(begin)) {
      return said("is good only from %s on: check the clock of this machine".formatted(begin));
    }
    if (now.isAfter(end)) {
      return said(
          "ended at %s: put another one there; \"fleetctl ca etcd\" makes it on a server that still reaches etcd"
              .formatted(end));
    }
    return now.plus(early).isAfter(end)
        ? said(
            "ends at %s: make all of them again with \"fleetctl ca etcd\", or by your own authority, and replace the files before that"
                .formatted(end))
        : Optional.empty();
  }

  private Optional<String> said(String what) {
    return file.map(path -> "the certificate that is shown to etcd, " + path + ", " + what);
  }

  private Optional<X509Certificate> read() {
    if (file.isEmpty()) {
      return Optional.empty();
    }
    try (InputStream in = Files.newInputStream(file.get())) {
      return Optional.of(
          (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in));
    } catch (IOException | CertificateException e) {
      // The connection reports it if it needs it: see CurrentTls.
      log.debug("registry: {} cannot be read: {}", file.get(), e.toString());
      return Optional.empty();
    }
  }
}
