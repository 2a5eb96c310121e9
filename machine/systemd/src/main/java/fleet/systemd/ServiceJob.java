package fleet.systemd;

/** The job that systemd has for the service that a process is the main process of. */
public sealed interface ServiceJob {

  /**
   * A job waits or runs.
   *
   * @param type as systemd names it, such as {@code stop} or {@code restart}
   */
  record Pending(String unit, String type) implements ServiceJob {}

  /** Nothing: systemd did not ask the process to end. */
  record None(String unit) implements ServiceJob {}

  /** The process is no service's main process, as when somebody started it in a terminal. */
  record NoService() implements ServiceJob {}

  /** systemd could not be asked, or did not answer in time. */
  record Unknown(String why) implements ServiceJob {}

  /** Whether systemd ends the service and has no mind to start it again. */
  default boolean endsForGood() {
    return this instanceof Pending(_, String type) && type.equals("stop");
  }
}
