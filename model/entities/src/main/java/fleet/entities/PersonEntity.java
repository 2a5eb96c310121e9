package fleet.entities;

import io.avaje.jsonb.Json;

/**
 * The certificate of a person who has logged in.
 *
 * @param authorities whom to believe about servers, in PEM
 * @param certificate in PEM
 * @param expires when the certificate ends
 * @param time of the server
 */
@Json
public record PersonEntity(
    String authorities, String certificate, String expires, String name, String time)
    implements Entity {

  public PersonEntity {
    authorities = Empty.ifAbsent(authorities);
    certificate = Empty.ifAbsent(certificate);
    expires = Empty.ifAbsent(expires);
    name = Empty.ifAbsent(name);
    time = Empty.ifAbsent(time);
  }
}
