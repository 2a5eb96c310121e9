package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

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
    @Nullable String authorities,
    @Nullable String certificate,
    @Nullable String expires,
    @Nullable String name,
    @Nullable String time)
    implements Entity {

  public PersonEntity {
    authorities = Absent.ifEmpty(authorities);
    certificate = Absent.ifEmpty(certificate);
    expires = Absent.ifEmpty(expires);
    name = Absent.ifEmpty(name);
    time = Absent.ifEmpty(time);
  }
}
