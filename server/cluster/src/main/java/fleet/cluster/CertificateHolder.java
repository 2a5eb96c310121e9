package fleet.cluster;

import java.time.Instant;

/** The holder of a client certificate that was shown, with proof of its key. */
public sealed interface CertificateHolder {

  /**
   * A person who has logged in; whether that still counts is for the grants to say.
   *
   * @param key SHA-256 of the certificate's key
   * @param until when the certificate ends
   */
  record Person(String name, String key, Instant until) implements CertificateHolder {}

  /** Another authority than the cluster's own vouches for it, or none. */
  record Foreign() implements CertificateHolder {}

  /**
   * The cluster's own authority has signed it, and it is not good for the API.
   *
   * @param why for people
   */
  record Refused(String why) implements CertificateHolder {}
}
