package fleet.api;

import java.io.IOException;

/**
 * What answers a request, and where.
 *
 * @param where which fleetd can
 * @param isRepeatable whether to do it twice is to do it once
 */
record Route(Where where, Work work, boolean isRepeatable) {

  /** Which fleetds have what an answer takes. */
  enum Where {
    /** Any. */
    HERE,
    /** Those that have the registry. */
    SERVER,
    /** The one that leads: what machines tell it is nowhere else. */
    LEADER
  }

  /** Answers. */
  @FunctionalInterface
  interface Work {
    void answer(Exchange exchange) throws IOException, InterruptedException;
  }

  static Route here(Work work) {
    return new Route(Where.HERE, work, true);
  }

  static Route server(Work work) {
    return new Route(Where.SERVER, work, true);
  }

  static Route leader(Work work) {
    return new Route(Where.LEADER, work, true);
  }

  /** The same, but a request of this method is never carried out twice. */
  Route once(String asked, String method) {
    return new Route(where, work, isRepeatable && !asked.equals(method));
  }

  /** Of something that the leader tells, and that whoever has the registry changes. */
  static Route readOrChange(String method, Work work) {
    return method.equals("GET") ? leader(work) : server(work);
  }
}
