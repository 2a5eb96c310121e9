package fleet.chaos;

import fleet.testkit.EtcdMember;
import fleet.testkit.EtcdProxy;
import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import java.time.Duration;
import java.util.Random;

/**
 * FaultInjection of processes, machines, networks and etcd. Each is begun, and undone after a
 * while.
 */
enum Fault {
  FLEETD_KILLED("fleetd is killed", Loss.WHERE_IT_TAKES_LONG) {
    @Override
    Runnable begin(FleetCluster cluster, FleetMachine machine, Random random) {
      machine.machine().run("pkill", "-KILL", "-x", "fleetd");
      return () -> {};
    }
  },
  FLEETD_AWAY("fleetd is killed and stays away", Loss.ALWAYS) {
    @Override
    Runnable begin(FleetCluster cluster, FleetMachine machine, Random random) {
      machine.killFleetdForGood();
      return machine::reviveFleetd;
    }
  },
  FLEETD_FROZEN("fleetd stands still", Loss.ALWAYS) {
    @Override
    Runnable begin(FleetCluster cluster, FleetMachine machine, Random random) {
      machine.machine().run("pkill", "-STOP", "-x", "fleetd");
      return () -> machine.machine().run("pkill", "-CONT", "-x", "fleetd");
    }
  },
  FLEETD_RESTARTED("fleetd is restarted", Loss.WHERE_IT_TAKES_LONG) {
    @Override
    Runnable begin(FleetCluster cluster, FleetMachine machine, Random random) {
      machine.machine().run("systemctl", "restart", "fleet.service");
      return () -> {};
    }
  },
  SYSTEMD_REEXECUTED("systemd is re-executed", Loss.WHERE_IT_TAKES_LONG) {
    @Override
    Runnable begin(FleetCluster cluster, FleetMachine machine, Random random) {
      machine.machine().run("systemctl", "daemon-reexec");
      return () -> {};
    }
  },
  POWER_LOST("the power is off", Loss.ALWAYS) {
    @Override
    Runnable begin(FleetCluster cluster, FleetMachine machine, Random random) {
      machine.losePower();
      return () -> machine.machine().boot();
    }
  },
  CUT_OFF("its network is cut", Loss.ALWAYS) {
    @Override
    Runnable begin(FleetCluster cluster, FleetMachine machine, Random random) {
      machine.machine().cut();
      return () -> machine.machine().join();
    }
  },
  ETCD_SILENT("etcd cannot be reached from it", Loss.ALWAYS) {
    @Override
    Runnable begin(FleetCluster cluster, FleetMachine machine, Random random) {
      EtcdProxy wire = cluster.wire(machine);
      wire.silence();
      return wire::heal;
    }
  },
  ETCD_SLOW("etcd is slow from it", Loss.NEVER) {
    @Override
    Runnable begin(FleetCluster cluster, FleetMachine machine, Random random) {
      EtcdProxy wire = cluster.wire(machine);
      wire.slow(Duration.ofMillis(100), Duration.ofMillis(400));
      return wire::heal;
    }
  },
  RUN_FULL("its /run is full", Loss.ALWAYS) {
    @Override
    Runnable begin(FleetCluster cluster, FleetMachine machine, Random random) {
      machine
          .machine()
          .run("sh", "-c", "fallocate -l $(df --output=avail -B1 /run | tail -n 1) /run/filled");
      return () -> machine.machine().run("rm", "-f", "/run/filled");
    }
  },
  MEMBER_KILLED("a member of etcd is killed", Loss.NEVER) {
    @Override
    Runnable begin(FleetCluster cluster, FleetMachine machine, Random random) {
      EtcdMember member = member(cluster, random);
      member.kill();
      return member::start;
    }
  },
  MEMBER_FROZEN("a member of etcd stands still", Loss.NEVER) {
    @Override
    Runnable begin(FleetCluster cluster, FleetMachine machine, Random random) {
      EtcdMember member = member(cluster, random);
      member.freeze();
      return member::thaw;
    }
  },
  ETCD_KILLED("all of etcd is killed", Loss.ALWAYS) {
    @Override
    Runnable begin(FleetCluster cluster, FleetMachine machine, Random random) {
      cluster.etcd().kill();
      return () -> cluster.etcd().start();
    }
  };

  private final String text;
  private final Loss loss;

  Fault(String text, Loss loss) {
    this.text = text;
    this.loss = loss;
  }

  /** Whether the machine may be taken for lost. */
  private enum Loss {
    NEVER,
    /** As on a machine that is slow, if fleetd takes its time to come back. */
    WHERE_IT_TAKES_LONG,
    ALWAYS;

    /**
     * One that is silent for less is not given up, nor are units stopped there: they are 6 s after
     * the last answer to a heartbeat, and that may have been 3 s ago when the fault began.
     */
    private static final long LONG_MICROS = 3_000_000;

    boolean during(Span span) {
      return this == ALWAYS
          || (this == WHERE_IT_TAKES_LONG && span.toMicros() - span.fromMicros() > LONG_MICROS);
    }
  }

  /** Begins it, and returns how it is undone. */
  abstract Runnable begin(FleetCluster cluster, FleetMachine machine, Random random);

  private static EtcdMember member(FleetCluster cluster, Random random) {
    var members = cluster.etcd().members();
    return members.get(random.nextInt(members.size()));
  }

  /** Whether it hits etcd itself, rather than a machine. */
  boolean isOfEtcd() {
    return this == MEMBER_KILLED || this == MEMBER_FROZEN || this == ETCD_KILLED;
  }

  Disturbance during(String machine, Span span) {
    return new Disturbance(text, isOfEtcd() ? Disturbance.ETCD : machine, span, loss.during(span));
  }
}
