package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the certificate of a person.
 *
 * @param code of an invitation; absent for the next certificate of somebody who has one
 * @param request PKCS#10, in base64
 */
@Json
public record LoginEntity(@Nullable String code, @Nullable String request) implements Entity {

  public LoginEntity {
    code = Absent.ifEmpty(code);
    request = Absent.ifEmpty(request);
  }
}
