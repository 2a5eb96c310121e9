package fleet.coordination;

/** Decides which engine leads: only one at any time can write. */
public interface Leadership extends Certainty, AutoCloseable {

  /**
   * Takes part in elections until this is closed.
   *
   * @param candidate told when it leads and when no longer, alternately, by one thread at a time
   */
  void campaign(Candidate candidate);

  /** Hands the leadership over at once if it is held, and takes part no more; may be repeated. */
  @Override
  void close();

  /** An engine that may lead. */
  interface Candidate {

    /**
     * From now on this engine leads. May take its time, and may throw if it cannot: then another
     * one gets its turn.
     */
    void lead(Term term);

    /** This engine no longer leads; returns once it has stopped deciding. */
    void retire(String why);

    /**
     * Whether this engine is the warm standby, which keeps the state loaded although it costs. Its
     * next lead ends that. May come at any time, and returns at once.
     */
    void keepReady(boolean ready);
  }

  /**
   * One engine's time as leader.
   *
   * @param token revision that created the leader's key: every write of the leader must find it
   *     unchanged; 0 if nobody else can lead
   * @param continuous whether the cluster was led until a moment ago, so that absent machines have
   *     had their time to come back
   * @param direct whether machines use RPC with this leader, or did with the one before: those are
   *     not in the store, and have to connect here first, or to the store
   */
  record Term(long token, boolean continuous, boolean direct) {
    /** For the one engine of a registry that nobody shares. */
    public static final Term ALONE = new Term(0, false, true);

    /** One after whose beginning nobody comes from elsewhere. */
    public Term(long token, boolean continuous) {
      this(token, continuous, false);
    }
  }
}
