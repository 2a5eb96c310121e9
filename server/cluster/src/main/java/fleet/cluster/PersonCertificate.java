package fleet.cluster;

import java.time.Instant;

/**
 * The certificate of a person who has logged in.
 *
 * @param name of the person
 * @param certificate in PEM
 * @param authorities whom to believe about servers, in PEM, one after the other
 * @param expires when the certificate ends
 */
public record PersonCertificate(
    String name, String certificate, String authorities, Instant expires) {}
