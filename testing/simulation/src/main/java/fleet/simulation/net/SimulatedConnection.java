package fleet.simulation.net;

import fleet.coordination.rpc.MessageStream;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import fleet.simulation.run.SimulatedProcess;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One connection of an agent to a leader's port, with the one stream on it. */
final class SimulatedConnection {

  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** As {@code fleet.rpc.RpcChannels} has it. */
  private static final Duration QUIET = Duration.ofSeconds(10);

  private static final Duration SILENT = Duration.ofSeconds(5);

  private final SimulatedNetwork network;
  private final String from;
  private final String to;
  private final End<FromAgent, FromLeader> agent;
  private @Nullable End<FromLeader, FromAgent> leader;

  SimulatedConnection(
      SimulatedNetwork network,
      String from,
      String to,
      SimulatedProcess process,
      MessageStream.Listener<FromLeader> listener) {
    this.network = network;
    this.from = from;
    this.to = to;
    this.agent = new End<>(this, process, from);
    agent.listener(listener);
  }

  End<FromAgent, FromLeader> agent() {
    return agent;
  }

  // ---- connecting

  void connect() {
    long until = network.simulation().now() + PATIENCE.toNanos();
    attempt(FIRST_RETRY, until);
  }

  /** As TCP does it: asked again after longer and longer pauses. */
  private void attempt(Duration retry, long until) {
    network.simulation().after(network.passage(from, to), () -> knock(retry, until));
  }

  private void knock(Duration retry, long until) {
    if (agent.isOver()) {
      network.forget(this);
    } else if (network.isCut(from, to) || network.isOff(to)) {
      if (network.simulation().now() >= until) {
        agent.broken("UNAVAILABLE: connection timed out");
        network.forget(this);
      } else {
        network.simulation().after(retry, () -> attempt(retry.multipliedBy(2), until));
      }
    } else {
      network
          .port(to)
          .ifPresentOrElse(
              this::answered,
              () -> {
                agent.broken("UNAVAILABLE: connection refused");
                network.forget(this);
              });
    }
  }

  /** The kernel takes the connection; the process hears of it when it gets round to it. */
  private void answered(SimulatedNetwork.Port port) {
    var end = new End<FromLeader, FromAgent>(this, port.process(), to);
    leader = end;
    port.process()
        .after(
            Duration.ZERO,
            () -> {
              if (!end.isOver()) {
                end.listener(port.door().arrived(end));
                end.connected(agent);
                agent.connected(end);
              }
            });
    watch();
  }

  /** Probes at intervals, as gRPC does when nothing comes in. */
  private void watch() {
    agent
        .process()
        .after(
            QUIET,
            () -> {
              if (!agent.isOver()) {
                probe();
                watch();
              }
            });
  }

  private void probe() {
    if (!answers()) {
      agent
          .process()
          .after(
              SILENT,
              () -> {
                if (!agent.isOver() && !answers()) {
                  agent.cut("UNAVAILABLE: keepalive failed");
                }
              });
    }
  }

  private boolean answers() {
    return !isCut() && leader != null && leader.process().runs();
  }

  // ---- what passes

  boolean isCut() {
    return network.isCut(from, to);
  }

  /** Has something arrive at the other machine, unless nothing passes. */
  void carry(Runnable arrival) {
    network.simulation().after(network.passage(from, to), arrival);
  }

  void pump() {
    agent.pump();
    if (leader != null) {
      leader.pump();
    }
    resetWhereVanished();
  }

  // ---- its end

  void ended(SimulatedProcess process) {
    if (agent.process().equals(process)) {
      agent.processEnded();
    }
    if (leader != null && leader.process().equals(process)) {
      leader.processEnded();
      if (!agent.isConnected()) {
        agent.broken("UNAVAILABLE: connection reset");
      }
    }
    forgetWhereOver();
  }

  /** A machine's power is gone, and what it had of this with it. */
  void vanished(String machine) {
    if (from.equals(machine)) {
      agent.vanish();
    }
    if (leader != null && to.equals(machine)) {
      leader.vanish();
    }
    forgetWhereOver();
  }

  /** A machine that is back knows nothing of it, and says so to whoever speaks to it. */
  private void resetWhereVanished() {
    if (isCut()) {
      return;
    }
    if (agent.hasVanished() && leader != null && !network.isOff(from)) {
      leader.broken("connection reset");
    }
    if (leader != null && leader.hasVanished() && !network.isOff(to)) {
      agent.broken("UNAVAILABLE: connection reset");
    }
    forgetWhereOver();
  }

  void forgetWhereOver() {
    if (agent.isQuiet() && (leader == null || leader.isQuiet())) {
      network.forget(this);
    }
  }
}
