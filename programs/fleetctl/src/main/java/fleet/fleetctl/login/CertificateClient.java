package fleet.fleetctl.login;

import fleet.entities.EntityJson;
import fleet.entities.ErrorEntity;
import fleet.entities.InvalidJsonException;
import fleet.entities.LoginEntity;
import fleet.entities.PersonEntity;
import fleet.fleetctl.http.Dialer;
import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.http.HttpClient;
import fleet.fleetctl.http.HttpRequest;
import java.io.IOException;
import java.util.Base64;

/** Asks a server for a certificate. */
public final class CertificateClient {

  private static final int CREATED = 201;
  private static final int NOT_FOUND = 404;

  private final Dialer dialer;
  private final long limitMillis;
  private final EntityJson json = new EntityJson();

  /**
   * @param limitMillis how long the answer may take
   */
  public CertificateClient(Dialer dialer, long limitMillis) {
    this.dialer = dialer;
    this.limitMillis = limitMillis;
  }

  /** A certificate, and what a server said beside it. */
  public record Answer(PersonIdentity identity, PersonEntity entity) {}

  /**
   * The first one.
   *
   * @param code of an invitation
   * @throws IOException if there is none; the message is for people
   */
  public Answer login(String code) throws IOException {
    return ask("/fleet/v1/login", code);
  }

  /** The next one, for the one that is shown. */
  public Answer renew() throws IOException {
    return ask("/fleet/v1/certificate", "");
  }

  private Answer ask(String path, String code) throws IOException {
    SigningRequest request = SigningRequest.create();
    String der = Base64.getEncoder().encodeToString(request.der());
    byte[] body = json.write(new LoginEntity(code, der));
    try (HttpClient client = new HttpClient(dialer, limitMillis)) {
      HttpAnswer answer = client.call(HttpRequest.json("POST", path, body));
      if (answer.status() != CREATED) {
        throw new IOException(refusal(answer));
      }
      PersonEntity made = json.read(PersonEntity.class, answer.body());
      return new Answer(
          PersonIdentity.of(request.key(), made.certificate(), made.authorities()), made);
    } catch (InvalidJsonException e) {
      throw new IOException(
          "the answer of %s is not that of a fleetd".formatted(dialer.endpoint().text()), e);
    }
  }

  private String refusal(HttpAnswer answer) {
    String where = dialer.endpoint().text();
    try {
      ErrorEntity error = json.read(ErrorEntity.class, answer.body());
      if (error.error() != null) {
        return error.error().message();
      }
    } catch (InvalidJsonException e) {
      return "%s answers with %d: is it a fleetd?".formatted(where, answer.status());
    }
    return answer.status() == NOT_FOUND
        ? "fleetd at " + where + " does not support logins: upgrade it"
        : "fleetd at %s answers with %d".formatted(where, answer.status());
  }
}
