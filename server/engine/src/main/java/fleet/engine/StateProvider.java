package fleet.engine;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.cluster.NotLeadingException;
import fleet.cluster.UncertainLeadException;
import fleet.engine.StateOwner.ReadableState;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Answers readers from the state that the {@link StateOwner} has, with the consistency that they
 * ask for. Safe for use by many threads.
 */
final class StateProvider {

  /**
   * An engine that is deposed has retired by then, and one whose store stumbled is certain again.
   */
  private static final Duration DOUBT = Duration.ofMillis(500);

  private final StateOwner owner;
  private final Duration patience;
  private final Clock clock;

  /**
   * @param patience for how long a reader waits until the state is certain
   */
  StateProvider(StateOwner owner, Duration patience, Clock clock) {
    this.owner = owner;
    this.patience = patience;
    this.clock = clock;
  }

  /**
   * Asks a current state.
   *
   * @throws NotLeadingException if only the leader's will do, and another engine leads or may
   * @throws ClusterUnavailableException if the state may be old by now
   */
  <T> T query(ReadConsistency consistency, Function<LiveState, T> question) {
    return owner.on(consistency, state -> certain(consistency, state, question));
  }

  /** The same, once the state has the answer; empty if it has none in time. */
  <T> Optional<T> queryOnceKnown(
      ReadConsistency consistency, Function<LiveState, Optional<T>> question) {
    return owner.on(
        consistency,
        state -> {
          state.loader().awaitAnswer(question, patience);
          return certain(consistency, state, question);
        });
  }

  /**
   * Asks a state, stale or not.
   *
   * @param told called before the answer if the state may be stale, with the time since when
   * @throws NotLeadingException if only the leader's will do, and another engine leads
   */
  <T> T queryEvenIfStale(
      ReadConsistency consistency, Function<LiveState, T> question, Consumer<Instant> told) {
    return owner.on(consistency, state -> evenIfStale(consistency, state, question, told));
  }

  /**
   * Certainty is checked before reading, as a state that becomes certain has just learned what it
   * had missed, and after it, as a check could expire meanwhile.
   */
  private <T> T certain(
      ReadConsistency consistency, ReadableState state, Function<LiveState, T> question) {
    while (true) {
      boolean wasCertain = state.isCertain();
      T answer = state.loader().query(question);
      if (wasCertain && state.isCertain()) {
        return answer;
      }
      // A caller that wants the leader's answer can ask other servers.
      Duration atMost = consistency == ReadConsistency.LEADER ? DOUBT : patience;
      if (!state.loader().becomes(state::isCertain, atMost)) {
        throw doubt(consistency, state);
      }
    }
  }

  private RuntimeException doubt(ReadConsistency consistency, ReadableState state) {
    String what =
        state.replica().isPresent()
            ? "this server has not reached etcd%s, so what it knows may be old"
            : "the server that leads has not reached etcd%s, so another may lead by now";
    String since = state.confirmed(clock).map(at -> " since " + at).orElse(" for long");
    String text =
        what.formatted(since)
            + ": look whether etcd is there, and can be reached from it, or ask another server";
    return consistency == ReadConsistency.LEADER
        ? new UncertainLeadException(text)
        : new ClusterUnavailableException(text);
  }

  private <T> T evenIfStale(
      ReadConsistency consistency,
      ReadableState state,
      Function<LiveState, T> question,
      Consumer<Instant> told) {
    boolean certain = state.isCertain();
    T answer = state.loader().query(question);
    if (!certain && state.loader().becomes(state::isCertain, DOUBT)) {
      answer = state.loader().query(question);
      certain = state.isCertain();
    }
    if (!certain) {
      told.accept(state.confirmed(clock).orElseThrow(() -> doubt(consistency, state)));
    }
    return answer;
  }

  /** Returns once there is a state to ask, old or not. */
  void expect(ReadConsistency consistency) {
    boolean _ = owner.on(consistency, _ -> true);
  }

  /** As {@link #query}. */
  EventStream follow(ReadConsistency consistency, EventsFrom from) {
    return owner.on(
        consistency,
        state ->
            state
                .replica()
                .map(observing -> observing.events(from))
                .orElseGet(() -> state.loader().events(from, () -> {})));
  }

  /** Returns once queries see everything up to a revision. */
  void awaitRevision(long revision) {
    if (owner.isThere()) {
      owner.on(
          ReadConsistency.ANYBODY,
          state -> {
            state.loader().awaitRevision(revision, patience);
            return true;
          });
    }
  }
}
