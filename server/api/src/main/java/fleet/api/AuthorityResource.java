package fleet.api;

import fleet.cluster.AuthorityStatus;
import fleet.cluster.EtcdCertificates;
import fleet.cluster.MachineView;
import fleet.entities.AuthoritiesEntity;
import fleet.entities.AuthorityEntity;
import fleet.entities.BehindEntity;
import fleet.entities.EtcdCertificatesEntity;
import fleet.entities.RotationEntity;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The certificate authority of the cluster: its status, and its replacement. */
final class AuthorityResource {

  private static final int CONFLICT = 409;

  void read(Exchange exchange) throws IOException {
    exchange.reply(status(exchange, present(exchange)));
  }

  void rotate(Exchange exchange) throws IOException {
    // Asked first: a server that does not lead must refuse before anything is done.
    Set<String> present = present(exchange);
    boolean begun = isBegun(exchange);
    exchange.reply(begun ? 201 : 200, status(exchange, present));
  }

  private static Set<String> present(Exchange exchange) {
    return exchange.cluster().machines().stream().map(MachineView::id).collect(Collectors.toSet());
  }

  private static AuthoritiesEntity status(Exchange exchange, Set<String> present) {
    return entity(exchange.own().authority().status(present));
  }

  void certifyEtcd(Exchange exchange) throws IOException {
    EtcdCertificatesEntity asked = exchange.json(EtcdCertificatesEntity.class);
    List<String> names = asked.names();
    try {
      EtcdCertificates made = exchange.own().authority().certifyEtcd(names, exchange.caller());
      exchange.answer().touch(names.getFirst(), 201, "good until " + made.ends());
      exchange.reply(
          201,
          new EtcdCertificatesEntity(
              made.authority(),
              made.certificate(),
              made.clientCertificate(),
              made.clientKey(),
              made.ends().toString(),
              made.key(),
              names));
    } catch (IllegalArgumentException e) {
      throw RefusedException.badRequest(String.valueOf(e.getMessage()));
    } catch (IllegalStateException e) {
      throw new RefusedException(CONFLICT, String.valueOf(e.getMessage()));
    }
  }

  private static boolean isBegun(Exchange exchange) {
    try {
      return exchange.own().authority().rotate(exchange.flag("finish"), exchange.caller());
    } catch (IllegalStateException e) {
      throw new RefusedException(CONFLICT, String.valueOf(e.getMessage()));
    }
  }

  private static AuthoritiesEntity entity(AuthorityStatus status) {
    return new AuthoritiesEntity(
        status.authorities().stream().map(AuthorityResource::entity).toList(),
        status.etcd().entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, made -> made.getValue().toString())),
        status.machines().stream().map(AuthorityResource::entity).toList(),
        status.nextEnd().map(Instant::toString).orElse(""),
        status
            .rotation()
            .map(going ->
                new RotationEntity(
                    going.by(),
                    going.finish(),
                    going.since().toString(),
                    going.signing() ? "signing" : "introduced",
                    going.until().map(Instant::toString).orElse("")))
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
        machine.authority().orElse(""),
        machine.awaited(),
        machine.ends().map(Instant::toString).orElse(""),
        machine.machine(),
        machine.present(),
        machine.role().text());
  }
}
