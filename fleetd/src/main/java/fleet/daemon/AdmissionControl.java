package fleet.daemon;

import fleet.cluster.MachineTrust;
import fleet.coordination.rpc.RpcEngineCoordination;
import fleet.core.machine.Role;
import fleet.registry.Registry;
import fleet.rpc.PeerAdmission;
import fleet.rpc.RpcPeer;
import fleet.trust.EnrolledMachines;
import fleet.trust.IdentityBindings;
import fleet.trust.Peer;
import fleet.trust.RefusedException;
import io.grpc.Status;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Keeps machines out that do not belong to the cluster any more: at each call, and in the middle of
 * those that go on. Safe for use by many threads.
 */
final class AdmissionControl implements PeerAdmission, AutoCloseable {

  private final IdentityBindings bindings;
  private final EnrolledMachines machines;

  private AdmissionControl(IdentityBindings bindings, EnrolledMachines machines) {
    this.bindings = bindings;
    this.machines = machines;
  }

  /**
   * Follows the registry from now on.
   *
   * @param self id of this server
   * @param onFatal told why this process cannot go on
   * @throws RefusedException where this server was thrown out itself
   * @throws fleet.registry.RegistryException where the registry does not answer
   */
  static AdmissionControl begin(Registry registry, String self, Consumer<String> onFatal)
      throws RefusedException {
    var bindings = new IdentityBindings(registry, Clock.systemUTC(), self);
    bindings.requireMember();
    var machines = new EnrolledMachines(registry, bindings, onFatal);
    machines.onEnd(machine -> {
      if (machine.equals(self)) {
        machines.removal(self).ifPresent(onFatal);
      }
    });
    return new AdmissionControl(bindings, machines);
  }

  IdentityBindings bindings() {
    return bindings;
  }

  /** For people who throw machines out, or let them come back. */
  MachineTrust trust() {
    return bindings;
  }

  @Override
  public Optional<Status> refusal(RpcPeer peer) {
    return machines
        .objection(new Peer(peer.machine(), peer.server() ? Role.SERVER : Role.AGENT), peer.key())
        .map(objection ->
            (objection.certain() ? Status.PERMISSION_DENIED : Status.UNAVAILABLE)
                .withDescription(objection.why()));
  }

  /** Has the calls of machines end that are thrown out. */
  void guard(RpcEndpoint port) {
    machines.onEnd(machine ->
        port.cut(
            machine,
            machines.removal(machine).orElse("machine " + machine + " has another key by now")));
  }

  /** Has their units move at once. */
  void guard(RpcEngineCoordination engine) {
    machines.onEnd(machine -> machines.removal(machine).ifPresent(_ -> engine.expel(machine)));
  }

  @Override
  public void close() {
    machines.close();
  }
}
