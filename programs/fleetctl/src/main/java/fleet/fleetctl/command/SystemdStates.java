package fleet.fleetctl.command;

import java.util.Set;

/** The words with which systemd describes units that fleet places. */
final class SystemdStates {

  private static final String LOAD = "loaded not-found bad-setting error merged masked stub";

  private static final String ACTIVE =
      "active reloading refreshing inactive failed activating deactivating maintenance";

  /** Sub states of all types of units. */
  private static final String SUB =
      """
      dead condition start-pre start start-post running exited reload reload-signal reload-notify
      reload-post stop stop-watchdog stop-sigterm stop-sigkill stop-post final-watchdog
      final-sigterm final-sigkill dead-before-auto-restart failed-before-auto-restart
      dead-resources-pinned auto-restart auto-restart-queued cleaning start-chown listening
      stop-pre stop-pre-sigterm stop-pre-sigkill waiting elapsed mounting mounting-done mounted
      remounting unmounting activating-done\
      """;

  /** Load states, active states and sub states. */
  static final Set<String> ALL = Set.of((LOAD + " " + ACTIVE + " " + SUB).split("[ \n]"));

  private SystemdStates() {}
}
