package fleet.api;

import fleet.cluster.LoginRefusedException;
import fleet.cluster.PersonCertificate;
import fleet.core.access.LoginCode;
import fleet.core.access.Subject;
import fleet.entities.LoginEntity;
import fleet.entities.PersonEntity;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.concurrent.Semaphore;

/** Certificates of people: the first for a code, each next one for the one before. */
final class LoginsResource {

  /** Anybody on the network may ask, and each answer costs a signature. */
  private static final int AT_ONCE = 32;

  private final Semaphore places = new Semaphore(AT_ONCE);

  void login(Exchange exchange) throws IOException {
    LoginEntity asked = asked(exchange);
    LoginCode code = RefusedException.ifInvalid(() -> LoginCode.parse(asked.code()));
    byte[] request = request(asked);
    if (!places.tryAcquire()) {
      throw new RefusedException(503, "too many people log in at this moment: try again");
    }
    PersonCertificate made;
    try {
      made = exchange.own().logins().login(code, request);
    } catch (LoginRefusedException e) {
      String why = String.valueOf(e.getMessage());
      exchange.answer().touch(code.toString(), 403, why);
      throw new RefusedException(403, why);
    } finally {
      places.release();
    }
    exchange
        .answer()
        .touch("person:" + made.name(), 201, code + ", certificate until " + made.expires());
    exchange.reply(201, entity(made));
  }

  void renew(Exchange exchange) throws IOException {
    LoginEntity asked = asked(exchange);
    if (!(exchange.request().subject() instanceof Subject.Person person && person.isLoggedIn())) {
      throw new RefusedException(403, "only a person who has logged in has a certificate to renew");
    }
    try {
      PersonCertificate made =
          exchange.own().logins().renew(person.name(), person.key(), request(asked));
      exchange.answer().touch("person:" + made.name(), 201, "certificate until " + made.expires());
      exchange.reply(201, entity(made));
    } catch (LoginRefusedException e) {
      throw new RefusedException(403, String.valueOf(e.getMessage()));
    }
  }

  private static LoginEntity asked(Exchange exchange) throws IOException {
    return exchange.json(LoginEntity.class);
  }

  private static byte[] request(LoginEntity asked) {
    try {
      return Base64.getDecoder().decode(asked.request());
    } catch (IllegalArgumentException e) {
      throw RefusedException.badRequest("invalid request: expect PKCS#10 in base64");
    }
  }

  private static PersonEntity entity(PersonCertificate made) {
    return new PersonEntity(
        made.authorities(),
        made.certificate(),
        made.expires().toString(),
        made.name(),
        Instant.now().toString());
  }
}
