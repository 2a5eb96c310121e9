package fleet.api;

import fleet.cluster.AuthorityStatus;
import fleet.cluster.MachineView;
import fleet.entities.AuthoritiesEntity;
import fleet.entities.AuthorityEntity;
import fleet.entities.BehindEntity;
import fleet.entities.RotationEntity;
import java.io.IOException;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;

/** The authority that vouches for machines: how it stands, and its replacement. */
final class AuthorityResource {

  private static final int CONFLICT = 409;

  void handle(Exchange exchange) throws IOException {
    exchange.allow("only GET and POST supported against this resource", "GET", "POST");
    // Asked first: who does not lead says so before anything is done.
    Set<String> present =
        exchange.cluster().machines().stream().map(MachineView::id).collect(Collectors.toSet());
    boolean begun = exchange.method().equals("POST") && isBegun(exchange);
    exchange.reply(begun ? 201 : 200, entity(exchange.authority().status(present)));
  }

  private static boolean isBegun(Exchange exchange) {
    try {
      return exchange.authority().rotate(exchange.flag("finish"), exchange.caller());
    } catch (IllegalStateException e) {
      throw new RefusedException(CONFLICT, String.valueOf(e.getMessage()));
    }
  }

  private static AuthoritiesEntity entity(AuthorityStatus status) {
    return new AuthoritiesEntity(
        status.authorities().stream().map(AuthorityResource::entity).toList(),
        status.machines().stream().map(AuthorityResource::entity).toList(),
        status.nextEnd().map(Instant::toString).orElse(null),
        status
            .rotation()
            .map(going ->
                new RotationEntity(
                    going.by(),
                    going.finish(),
                    going.since().toString(),
                    going.signing() ? "signing" : "introduced",
                    going.until().map(Instant::toString).orElse(null)))
            .orElse(null),
        status.serverKey());
  }

  private static AuthorityEntity entity(AuthorityStatus.Authority authority) {
    return new AuthorityEntity(
        authority.machines(),
        authority.sha256(),
        authority.since().toString(),
        authority.standing().text(),
        authority.until().toString());
  }

  private static BehindEntity entity(AuthorityStatus.Behind machine) {
    return new BehindEntity(
        machine.authority().orElse(null),
        machine.awaited(),
        machine.ends().map(Instant::toString).orElse(null),
        machine.machine(),
        machine.present(),
        machine.role().text());
  }
}
