package fleet.fleetctl.command;

import java.util.Set;

/** The words with which systemd describes units that fleet places. */
final class SystemdStates {

  /** Load states, active states and sub states. */
  static final Set<String> ALL =
      Set.of(
          "loaded",
          "not-found",
          "bad-setting",
          "error",
          "merged",
          "masked",
          "stub",
          "active",
          "reloading",
          "refreshing",
          "inactive",
          "failed",
          "activating",
          "deactivating",
          "maintenance",
          "dead",
          "condition",
          "start-pre",
          "start",
          "start-post",
          "running",
          "exited",
          "reload",
          "reload-signal",
          "reload-notify",
          "reload-post",
          "stop",
          "stop-watchdog",
          "stop-sigterm",
          "stop-sigkill",
          "stop-post",
          "final-watchdog",
          "final-sigterm",
          "final-sigkill",
          "dead-before-auto-restart",
          "failed-before-auto-restart",
          "dead-resources-pinned",
          "auto-restart",
          "auto-restart-queued",
          "cleaning",
          "start-chown",
          "listening",
          "stop-pre",
          "stop-pre-sigterm",
          "stop-pre-sigkill",
          "waiting",
          "elapsed",
          "mounting",
          "mounting-done",
          "mounted",
          "remounting",
          "unmounting",
          "activating-done");

  private SystemdStates() {}
}
