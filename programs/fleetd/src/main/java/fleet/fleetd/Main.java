package fleet.fleetd;

/** fleetd. */
public final class Main {

  private Main() {}

  public static void main(String[] arguments) {
    DnsCache.shorten();
    int exitCode =
        new Fleetd(System.getenv(), System.out, System.err, Daemon::start).run(arguments);
    System.exit(exitCode);
  }
}
