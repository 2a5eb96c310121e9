package fleet.fleetctl.http;

import static java.util.stream.Collectors.joining;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/**
 * Says which side of a TLS connection lacks what. The words of Java's own exceptions are read for
 * that, since their types tell little.
 *
 * @param host the name that the server was asked by
 * @param trust has seen the certificates of the server
 */
record TlsFailure(ClientTlsFiles files, String host, WitnessedTrust trust) {

  /** The alerts of servers that do not take a client's certificate, or its lack. */
  private static final Set<String> OF_CERTIFICATE =
      Set.of(
          "certificate_required",
          "bad_certificate",
          "certificate_unknown",
          "certificate_expired",
          "certificate_revoked",
          "unsupported_certificate",
          "unknown_ca",
          "access_denied",
          "handshake_failure");

  private static final String ALERT = "fatal alert: ";

  /** The reason in one line. */
  TlsException of(SSLException failure) {
    return new TlsException(words(failure), failure);
  }

  private String words(SSLException failure) {
    List<Throwable> causes =
        Stream.iterate((Throwable) failure, Objects::nonNull, Throwable::getCause).toList();
    String message = String.valueOf(failure.getMessage());
    if (!trust.shown().isEmpty()
        && causes.stream().anyMatch(CertificateException.class::isInstance)) {
      return ofServer(trust.shown(), causes);
    }
    if (message.contains(ALERT)) {
      return ofAlert(message.substring(message.indexOf(ALERT) + ALERT.length()));
    }
    if (message.contains("unrecognized SSL message")) {
      return "it speaks plain HTTP: write http:// in the endpoint";
    }
    return causes.stream().anyMatch(EOFException.class::isInstance)
        ? "the server ended the TLS handshake without a word: is that the port of fleetd's API?"
        : "TLS: " + message;
  }

  private String ofServer(List<X509Certificate> shown, List<Throwable> causes) {
    X509Certificate certificate = shown.getFirst();
    for (Throwable cause : causes) {
      if (cause instanceof CertificateExpiredException) {
        return "the server's certificate was good until %s: have it renewed, or check the clocks"
            .formatted(certificate.getNotAfter().toInstant());
      }
      if (cause instanceof CertificateNotYetValidException) {
        return "the server's certificate is good from %s on: check the clocks"
            .formatted(certificate.getNotBefore().toInstant());
      }
      if (cause instanceof CertificateException && isOfName(cause)) {
        return "the name %s is not in the server's certificate (%s)"
            .formatted(host, names(certificate));
      }
    }
    String by = shown.getLast().getIssuerX500Principal().getName();
    return files.ca().isEmpty()
        ? "the server's certificate is by \"%s\", which this machine does not trust: name the file of that authority with --ca-file"
            .formatted(by)
        : "the server's certificate is by \"%s\", which --ca-file %s does not have"
            .formatted(by, files.ca());
  }

  /** "No subject alternative DNS name matching a found.", "No name matching a found". */
  private static boolean isOfName(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    return message.startsWith("No subject alternative") || message.startsWith("No name matching");
  }

  private static String names(X509Certificate certificate) {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      return names == null
          ? certificate.getSubjectX500Principal().getName()
          : names.stream().map(name -> String.valueOf(name.get(1))).collect(joining(", "));
    } catch (CertificateParsingException e) {
      return "which cannot be read";
    }
  }

  private String ofAlert(String alert) {
    if (!OF_CERTIFICATE.contains(alert)) {
      return "the server refuses the TLS connection: " + alert;
    }
    return files.certificate().isEmpty()
        ? "the server wants a client certificate, and none was given (--cert-file, --key-file)"
        : "the server does not take the certificate of --cert-file %s (%s): api_cafile there has to vouch for it"
            .formatted(files.certificate(), alert);
  }

  /** The same stream. Servers refuse a client's certificate after the handshake. */
  InputStream explaining(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        try {
          return in.read(target, offset, length);
        } catch (SSLException e) {
          throw of(e);
        }
      }
    };
  }
}
