package fleet.entities;

import io.avaje.jsonb.Json;

/**
 * Asks for the certificate of a person.
 *
 * @param code of an invitation; absent for the next certificate of somebody who has one
 * @param request PKCS#10, in base64
 */
@Json
public record LoginEntity(String code, String request) implements Entity {

  public LoginEntity {
    code = Empty.ifAbsent(code);
    request = Empty.ifAbsent(request);
  }
}
