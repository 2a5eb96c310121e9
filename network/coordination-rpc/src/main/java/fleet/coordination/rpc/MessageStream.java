package fleet.coordination.rpc;

/**
 * One end of a stream between an agent and a leader: the only view of gRPC in the coordination.
 * Safe for use by many threads; never waits.
 *
 * @param <T> what goes out
 */
public interface MessageStream<T> {

  /** Sends a message, however much is queued; does nothing once the stream has ended. */
  void send(T message);

  /** Whether more can be sent without piling up here; {@link Listener#ready} tells when it can. */
  boolean isReady();

  /** One message more may come: it has room. Each end begins with one. */
  void next();

  /** Ends it in order: what was sent still arrives. */
  void end();

  /** Ends it at once. */
  void cut(String why);

  /**
   * Hears what comes in, from one thread at a time. Must not block.
   *
   * @param <T> what comes in
   */
  interface Listener<T> {

    void heard(T message);

    void ready();

    /** The last that is heard. */
    void ended(String why);
  }
}
