package fleet.registry.etcd;

import fleet.core.store.StoreHealth;
import io.etcd.jetcd.cluster.Member;
import io.etcd.jetcd.maintenance.StatusResponse;
import java.net.URI;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Asks each member of etcd for its status. A member answers for itself even without a quorum; its
 * answer names it, since the address that it advertises may lead elsewhere, such as {@code
 * localhost}.
 */
final class MemberHealth {

  private static final String KIND = "etcd";

  private final EtcdClient connection;

  MemberHealth(EtcdClient connection) {
    this.connection = connection;
  }

  StoreHealth ask() {
    List<Member> members;
    try {
      members = connection.members();
    } catch (EtcdFault e) {
      return new StoreHealth(KIND, String.valueOf(e.getMessage()), List.of());
    }
    Set<URI> addresses = new LinkedHashSet<>(connection.options().endpoints());
    members.forEach(member -> addresses.addAll(member.getClientURIs()));
    Map<Long, StatusResponse> answers = answers(addresses);
    return new StoreHealth(
        KIND,
        "",
        members.stream()
            .map(member -> health(member, answers))
            .sorted(Comparator.comparing(StoreHealth.Member::name))
            .toList());
  }

  /** The answers by the ids of the members that gave them. */
  private Map<Long, StatusResponse> answers(Set<URI> addresses) {
    Map<URI, StatusResponse> told = new ConcurrentHashMap<>();
    List<Thread> asking =
        addresses.stream()
            .map(address -> Thread.ofVirtual().name("etcd-health").start(() -> ask(address, told)))
            .toList();
    try {
      for (Thread one : asking) {
        one.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Map<Long, StatusResponse> answers = new HashMap<>();
    told.values().forEach(status -> answers.put(status.getHeader().getMemberId(), status));
    return answers;
  }

  private void ask(URI address, Map<URI, StatusResponse> told) {
    try {
      told.put(address, connection.briefStatus(address));
    } catch (EtcdFault | RuntimeException silent) {
      // A member that no address leads to is told as silent below.
    }
  }

  private static StoreHealth.Member health(Member member, Map<Long, StatusResponse> answers) {
    String address =
        member.getClientURIs().stream().map(URI::toString).collect(Collectors.joining(","));
    StatusResponse status = answers.get(member.getId());
    return new StoreHealth.Member(
        member.getName().isEmpty() ? Long.toHexString(member.getId()) : member.getName(),
        address,
        status == null ? "" : status.getVersion(),
        status == null ? silence(address) : problem(status));
  }

  private static String silence(String address) {
    return address.isEmpty() ? "has not started yet" : "does not answer at " + address;
  }

  private static String problem(StatusResponse status) {
    return status.getLeader() == 0
        ? "knows no leader: has etcd lost its quorum?"
        : String.join("; ", status.getErrorList());
  }
}
