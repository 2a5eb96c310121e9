package fleet.cluster;

import java.time.Instant;

/** The holder of a client certificate that was shown, with proof of its key. */
public sealed interface CertificateHolder {

  /**
   * A person who has logged in; the grants decide whether that still counts.
   *
   * @param key SHA-256 of the certificate's key
   * @param until when the certificate ends
   */
  record Person(String name, String key, Instant until) implements CertificateHolder {}

  /** It is by another authority than the cluster's, or by none. */
  record Foreign() implements CertificateHolder {}

  /**
   * The cluster's own authority has signed it, but it is not valid for the API.
   *
   * @param why for people
   */
  record Refused(String why) implements CertificateHolder {}
}
