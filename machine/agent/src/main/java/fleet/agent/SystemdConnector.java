package fleet.agent;

import fleet.systemd.Systemd;

/** Connects to systemd, once the agent is there to listen. */
@FunctionalInterface
public interface SystemdConnector {
  Systemd connect(Systemd.Listener listener);
}
