package fleet.coordination.store;

import fleet.coordination.EngineCoordination;
import fleet.coordination.EventLoop;
import fleet.coordination.Leadership;
import fleet.core.machine.Machine;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.question.RefusedAnswer;
import fleet.registry.Entry;
import fleet.registry.Lease;
import fleet.registry.Outcome;
import fleet.registry.RegistryException;
import fleet.registry.SharedRegistry;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.QuestionRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * The engine's side of the coordination through the store. Machines read their schedule there, and
 * the engine gets their reports by its own watch; only questions remain, which any fleetd may ask.
 */
public final class StoreEngineCoordination implements EngineCoordination {

  /** How long a question outlives a dead sender. */
  private static final Duration QUESTION_TTL = Duration.ofSeconds(10);

  /** A present machine takes a question within milliseconds. */
  private static final Duration SILENCE = Duration.ofSeconds(10);

  private final SharedRegistry registry;
  private final EventLoop loop;
  private final DuplicateIdMarkers duplicates;

  public StoreEngineCoordination(SharedRegistry registry, EventLoop.Factory loops) {
    this.registry = registry;
    this.loop = loops.start("questions", () -> {});
    this.duplicates = new DuplicateIdMarkers(registry, loop);
  }

  /** The engine takes presence and reports from its own watch of the store. */
  @Override
  public void lead(Leadership.Term term, Listener listener) {
    loop.post(() -> duplicates.begin(term.token()));
  }

  @Override
  public void retire() {
    loop.post(duplicates::end);
  }

  @Override
  public void occupied(Machine refused, Machine there) {
    loop.post(() -> duplicates.put(refused, there));
  }

  @Override
  public void vacant(String machine) {
    loop.post(() -> duplicates.remove(machine));
  }

  /**
   * {@inheritDoc}
   *
   * @throws RegistryException if the store does not answer
   */
  @Override
  public Optional<Answer> ask(String machine, Question question) {
    Optional<Entry> there = registry.get(Keys.machine(machine));
    return switch (question) {
      case Question.Exec _, Question.ExecInput _, Question.ExecWindow _ ->
          there.map(_ -> noCommands(machine));
      default -> there.flatMap(present -> ask(machine, present, question));
    };
  }

  /** Keys that somebody types, and what commands print, are not for a store to keep. */
  private static Answer noCommands(String machine) {
    return new RefusedAnswer(
        "machine %s is reached through etcd alone (enable_grpc=false, or it has lost the leader's port), which carries no commands: use fleetctl ssh"
            .formatted(machine));
  }

  private Optional<Answer> ask(String machine, Entry present, Question question) {
    String id = UUID.randomUUID().toString();
    String key = Keys.question(machine, id);
    QuestionRecord record = new QuestionRecord(question);
    Lease lease = registry.grant(QUESTION_TTL);
    Outcome outcome =
        registry.commit(
            Transaction.when()
                .createdAt(present.key(), present.created())
                .put(key, record.json(), lease)
                .build());
    if (outcome instanceof Outcome.Refused) {
      lease.revoke();
      return Optional.empty();
    }
    var asked =
        new OutgoingQuestion(registry, loop, machine, id, record, lease, outcome.revision());
    return Optional.of(asked.follow(SILENCE));
  }

  @Override
  public void close() {
    loop.close();
  }
}
